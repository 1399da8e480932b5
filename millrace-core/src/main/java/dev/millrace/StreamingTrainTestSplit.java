package dev.millrace;

/// Two parts of a dataset that are computed when they are read, each by a run over the whole input.
public record StreamingTrainTestSplit(Dataset train, Dataset test) {}

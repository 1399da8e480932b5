package dev.millrace.batch;

/// Placeholder until the batch package lands.
public interface Batch {}

package dev.millrace;

/// Two parts of a dataset; closing frees both.
public record TrainTestSplit(MaterializedDataset train, MaterializedDataset test) implements AutoCloseable {
    @Override
    public void close() {
        train.close();
        test.close();
    }
}

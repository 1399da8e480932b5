package dev.millrace.examples.guide;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.iteration.BatchOptions;

/// What a sample finds without making it.
public abstract class SampleBase {
    /// Open while a sample runs; one at a time.
    protected static Session session;

    /// Consumes a dataset that a sample only describes.
    protected static void runToTheEnd(Dataset dataset) {
        dataset.forEachBatch(BatchOptions.defaults(), _ -> {});
    }

    static void use(Session open) {
        session = open;
    }
}

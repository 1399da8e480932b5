package dev.millrace.settings;

import dev.millrace.error.MillraceException;
import java.io.Serializable;

/// Defaults of iterBatches.
public record IterationSettings(int batchSize, int prefetchBatches) implements DatasetSetting, Serializable {
    public static final IterationSettings DEFAULT = new IterationSettings(256, 1);

    public IterationSettings {
        if (batchSize < 1 || prefetchBatches < 0) {
            throw MillraceException.user("Iteration needs a batch size of 1 or more and 0 or more batches ahead, not "
                    + batchSize + " and " + prefetchBatches + ".");
        }
    }
}

package dev.millrace.checkpoint;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.sink.WriteOptions;

/// The program that [CheckpointKillIT] kills: reads numbers, sleeps a little per split, writes them with a checkpoint.
final class CheckpointJob {
    static final int SPLITS = 400;
    static final int ROWS_PER_SPLIT = 9;

    private CheckpointJob() {}

    static Row slow(Row row) throws InterruptedException {
        if (row.getLong("id") % ROWS_PER_SPLIT == 0) {
            Thread.sleep(40);
        }
        return row.copy();
    }

    static final class Slow implements BatchFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public Batch apply(Batch batch) throws InterruptedException {
            Thread.sleep(40);
            return batch;
        }
    }

    /// @param arguments "tasks" (which append) or "actors" (which overwrite), the target, the checkpoint
    public static void main(String[] arguments) {
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(6).withMemory(64 << 20))
                .open()) {
            Dataset rows = session.range((long) SPLITS * ROWS_PER_SPLIT, SPLITS);
            Dataset slow = arguments[0].equals("tasks")
                    ? rows.map(CheckpointJob::slow)
                    : rows.mapBatches(Slow::new, Compute.actors(3).batchSize(ROWS_PER_SPLIT));
            System.out.println("begins");
            WriteOptions options = WriteOptions.defaults().maxRowsPerFile(4);
            slow.checkpoint(arguments[2])
                    .writeArrow(arguments[1], arguments[0].equals("tasks") ? options : options.overwrite());
            System.out.println("ends");
        }
    }
}

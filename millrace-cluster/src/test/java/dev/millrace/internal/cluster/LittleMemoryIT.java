package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Data of many times the memory of the workers, which spill it. `-Dmillrace.little.rows=125000000` makes 2 GB of
/// values of 16 bytes a row, and `-Dmillrace.little.memory=75` gives each of two workers that many MiB: 150 in all.
@Timeout(600)
class LittleMemoryIT {
    private static final long ROWS = Long.getLong("millrace.little.rows", 4_000_000);
    private static final long MEMORY = Long.getLong("millrace.little.memory", 32) << 20;
    private static final long PRIME = 1_000_003;

    private Session session;

    @BeforeEach
    void open() {
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .cluster(ClusterSettings.DEFAULT.withWorkerMemory(MEMORY))
                .cluster("local:2")
                .open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    private Dataset rows() {
        return session.range(ROWS).mapBatches(batch -> {
            long[] keys = new long[(int) batch.rows()];
            var ids = batch.longs("id");
            for (int i = 0; i < keys.length; i++) {
                keys[i] = ids.get(i) * 7919 % PRIME;
            }
            return batch.with("key", keys);
        });
    }

    /// The first and last key of a batch, its rows and the sum of its ids.
    private static Batch summary(Batch batch) {
        var keys = batch.longs("key");
        var ids = batch.longs("id");
        long sum = 0;
        for (int i = 0; i < batch.rows(); i++) {
            sum += ids.get(i);
            if (i > 0 && keys.get(i - 1) > keys.get(i)) {
                throw new IllegalStateException("row " + i + " of a batch is less than the one before");
            }
        }
        return Batch.of("keys", new long[] {keys.get(0)}, "rows", new long[] {batch.rows()}, "sum", new long[] {sum})
                .with("last", new long[] {keys.get((int) batch.rows() - 1)});
    }

    @Test
    void aSort() {
        List<Row> batches =
                rows().sort("key").mapBatches(LittleMemoryIT::summary).takeAll();
        long last = -1;
        for (Row batch : batches) {
            assertThat(batch.getLong("keys")).isGreaterThanOrEqualTo(last);
            last = batch.getLong("last");
        }
        assertThat(batches.stream().mapToLong(batch -> batch.getLong("rows")).sum())
                .isEqualTo(ROWS);
        assertThat(batches.stream().mapToLong(batch -> batch.getLong("sum")).sum())
                .isEqualTo(ROWS * (ROWS - 1) / 2);
    }

    @Test
    void aGroupByOfAMillionKeys() {
        Row all = rows().groupBy("key")
                .aggregate(Aggregates.count().as("rows"), Aggregates.sum("id").as("sum"))
                .aggregate(Aggregates.count(), Aggregates.sum("rows"), Aggregates.sum("sum"))
                .takeAll()
                .getFirst();
        assertThat(List.of(all.value(0), all.value(1), all.value(2)))
                .isEqualTo(List.of(Math.min(PRIME, ROWS), ROWS, ROWS * (ROWS - 1) / 2));
    }
}

package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.relation.SortKey;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A sort whose rows go on in the tasks that merge them, in parts of several pieces each.
@Timeout(120)
class SortedPiecesTest {
    private static final int ROWS = 1_500_000;
    /// Every key comes about 15 times.
    private static final long KEYS = 100_003;

    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    @AfterEach
    void nothingIsLeft() {
        assertThat(session.allocator().heldBytes()).isZero();
        session.close();
    }

    /// 48 bytes a row, so 36 MB for each of two parts: narrow columns, one that is not, text.
    private Dataset rows() {
        return session.range(ROWS)
                .withColumn("key", col("id").times(7_919L).mod(KEYS).cast(DataType.decimal(15, 2)))
                .withColumn("wide", col("id").times(1_000_003_000_019L))
                .withColumn("text", col("id").cast(DataType.UTF8));
    }

    @Test
    void rowsComeOnceInOrderAndEqualKeysAsTheyWere() {
        check(SortKey.ascending("key"), 1);
        check(SortKey.descending("key"), -1);
    }

    private void check(SortKey key, int direction) {
        Dataset sorted = rows().sort(List.of(key), List.of(KEYS / 2))
                .withColumn("small", col("key").cast(DataType.INT64))
                .filter(col("small").ge(0L));
        boolean[] seen = new boolean[ROWS];
        long last = -1;
        long lastId = -1;
        int count = 0;
        try (var batches = sorted.iterBatches(8192)) {
            while (batches.hasNext()) {
                Batch batch = batches.next();
                for (int i = 0; i < batch.rows(); i++) {
                    long id = batch.longs("id").get(i);
                    long small = batch.longs("small").get(i);
                    if (seen[(int) id]
                            || small != id * 7_919L % KEYS
                            || batch.longs("wide").get(i) != id * 1_000_003_000_019L) {
                        assertThat(batch.row(i)).isEqualTo("the row " + id);
                    }
                    seen[(int) id] = true;
                    if (count > 0 && (small == last ? id <= lastId : (small < last) == (direction > 0))) {
                        assertThat(small + " of row " + id).isEqualTo("after " + last + " of row " + lastId);
                    }
                    last = small;
                    lastId = id;
                    count++;
                }
                assertThat(batch.row(0).get("text"))
                        .isEqualTo(String.valueOf(batch.longs("id").get(0)));
            }
        }
        assertThat(count).isEqualTo(ROWS);
    }
}

package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.Sink;
import dev.millrace.sink.WriteSummary;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The guarantees of every sink, of files, tables or others: extend it with the sink and with how its rows are read
/// back.
@Timeout(60)
public abstract class RowSinkContract {
    protected static final Resources CAPACITY = new Resources(4, 0, 4L << 30, Map.of());

    protected Session session;

    @TempDir
    protected Path folder;

    /// The sink, with a target that is new in each test. The written rows have the columns of the last call of
    /// [#prepare], or `id` of int64.
    protected abstract Sink appending();

    /// The sink under test, replacing existing data.
    protected abstract Sink overwriting();

    /// All rows that were committed.
    protected abstract Dataset written();

    /// All entries at the target, temporary or committed.
    protected abstract List<String> entries() throws IOException;

    /// True once a running write has created something at the target.
    protected boolean isWriting() throws IOException {
        return !entries().isEmpty();
    }

    /// Announces the columns of the next rows.
    protected void prepare(Schema columns) {}

    /// False if the order of rows is not preserved.
    protected boolean isOrdered() {
        return true;
    }

    /// The runtime of the tasks.
    protected Runtime newRuntime(Allocator account) {
        return new EmbeddedRuntime(CAPACITY);
    }

    @BeforeEach
    void open() {
        session = openOn(this::newRuntime);
    }

    /// Throws if memory is still held.
    @AfterEach
    void close() {
        session.close();
    }

    /// A session over a runtime.
    protected static Session openOn(java.util.function.Function<Allocator, Runtime> runtime) {
        return Session.builder().progress(ProgressSettings.OFF).runtime(runtime).open();
    }

    /// Writes a dataset to the sink under test.
    protected WriteSummary write(Dataset dataset) {
        return dataset.write(appending());
    }

    /// The ids in the target, sorted if the sink does not preserve order.
    protected List<Long> ids() {
        return inOrder(
                written().takeAll().stream().map(row -> row.getLong("id")).toList());
    }

    private List<Long> inOrder(List<Long> ids) {
        return isOrdered() ? ids : ids.stream().sorted().toList();
    }

    /// The ids from 0 on.
    protected static List<Long> upTo(long rows) {
        return LongStream.range(0, rows).boxed().toList();
    }

    @Test
    void rowsComeBack() {
        WriteSummary summary = write(session.range(1000, 7));
        assertThat(ids()).isEqualTo(upTo(1000));
        assertThat(summary.rows()).isEqualTo(1000);
        assertThat(summary.bytes()).isPositive();
        assertThat(summary.skipped()).isFalse();
        assertThat(written().count()).isEqualTo(1000);
    }

    @Test
    void aChainEndsInTheWrite() {
        Dataset evens = session.range(100, 4)
                .map(row -> Row.of("id", row.getLong("id") / 2, "text", "row " + row.getLong("id")))
                .filter(row -> Objects.requireNonNull(row.getString("text")).endsWith("0"));
        prepare(Schema.of(new Field("id", DataType.INT64), new Field("text", DataType.UTF8)));
        assertThat(write(evens).rows()).isEqualTo(10);
        assertThat(written().takeAll()).hasSize(10).contains(Row.of("id", 45L, "text", "row 90"));
    }

    static final class Adder implements BatchFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public dev.millrace.batch.Batch apply(dev.millrace.batch.Batch batch) {
            return batch.mapLongs("id", id -> id + 1);
        }
    }

    @Test
    void afterActorsLimitsUnionsAndZips() {
        write(session.range(100, 4).mapBatches(Adder::new, Compute.actors(2).batchSize(7)));
        write(session.range(1000, 10).limit(13));
        write(session.range(10, 2).union(session.range(5, 2)));
        write(session.range(6, 2).zip(session.range(6, 3).rename("id", "other")).drop("other"));
        assertThat(ids()).hasSize(100 + 13 + 15 + 6).contains(100L, 99L);
    }

    @Test
    void appendedRowsAreReadLater() {
        write(session.range(3, 1));
        write(session.range(2, 1));
        assertThat(ids()).containsExactlyElementsOf(inOrder(List.of(0L, 1L, 2L, 0L, 1L)));
    }

    @Test
    void overwritingReplacesAllRows() {
        write(session.range(30, 3));
        session.range(5, 2).write(overwriting());
        assertThat(ids()).isEqualTo(upTo(5));
    }

    @Test
    void anOverwriteThatFailsKeepsTheOldRows() throws IOException {
        write(session.range(30, 3));
        List<String> before = entries();
        assertThatThrownBy(() -> failing().write(overwriting()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("no 77");
        assertThat(entries()).containsExactlyInAnyOrderElementsOf(before);
        assertThat(ids()).isEqualTo(upTo(30));
    }

    /// A dataset that fails in the middle.
    protected Dataset failing() {
        return session.range(100, 10).map(row -> {
            if (row.getLong("id") == 77) {
                throw new IllegalStateException("no 77");
            }
            return row.copy();
        });
    }

    @Test
    void aFailedWriteLeavesNothing() throws IOException {
        assertThatThrownBy(() -> write(failing())).hasMessageContaining("no 77");
        assertThat(entries()).isEmpty();
        assertThat(session.running()).isEmpty();
    }

    @Test
    void aDatasetCanOverwriteWhatItReads() {
        write(session.range(20, 3));
        Dataset doubled = written().map(row -> Row.of("id", row.getLong("id") * 2));
        doubled.write(overwriting());
        assertThat(ids()).isEqualTo(upTo(20).stream().map(id -> id * 2).toList());
    }

    @Test
    void nothingIsWrittenOfADatasetWithoutRows() {
        assertThat(write(session.range(10, 3).filter(row -> false)).rows()).isZero();
        assertThat(written().count()).isZero();
        write(session.range(3, 1));
        session.range(10, 3).filter(row -> false).write(overwriting());
        assertThat(written().count()).isZero();
    }

    @Test
    void jobsWriteBesideEachOther() throws Exception {
        try (ExecutorService jobs = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<WriteSummary>> writes = Stream.generate(() -> jobs.submit(() -> write(session.range(200, 10))))
                    .limit(6)
                    .toList();
            for (Future<WriteSummary> write : writes) {
                assertThat(write.get().rows()).isEqualTo(200);
            }
        }
        assertThat(ids()).hasSize(1200);
        assertThat(entries()).noneMatch(entry -> entry.contains("_temporary"));
    }

    @Test
    void aSessionThatClosesAbortsTheWrite() throws Exception {
        Dataset slow = session.range(1000, 100).map(row -> {
            Thread.sleep(20);
            return row.copy();
        });
        Throwable[] seen = new Throwable[1];
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                write(slow);
            } catch (Throwable e) {
                seen[0] = e;
            }
        });
        while (!isWriting() && writer.isAlive()) {
            Thread.sleep(5);
        }
        session.close();
        writer.join(30_000);
        assertThat(seen[0]).isInstanceOf(MillraceException.class);
        assertThat(entries()).isEmpty();
    }
}

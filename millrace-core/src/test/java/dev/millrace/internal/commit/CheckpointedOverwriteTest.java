package dev.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Checkpoint;
import dev.millrace.Session;
import dev.millrace.compression.IpcCompression;
import dev.millrace.files.FileSink;
import dev.millrace.internal.sink.ArrowFormat;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// A checkpointed job that overwrites: its parts outlive a crash as they are done, and are seen when all are.
@Timeout(60)
@Isolated("it watches all commits of the process")
class CheckpointedOverwriteTest {
    private static final AtomicInteger LIMIT = new AtomicInteger();

    @TempDir
    Path folder;

    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    @AfterEach
    void close() {
        CommitSteps.watcher = _ -> {};
        session.close();
    }

    private String out() {
        return folder.resolve("out").toString();
    }

    private String memory() {
        return folder.resolve("memory").toString();
    }

    private void overwrite() {
        session.range(100, 10)
                .map(row -> {
                    if (row.getLong("id") >= LIMIT.get()) {
                        throw new IllegalStateException("enough");
                    }
                    return dev.millrace.batch.Row.of("id", row.getLong("id") + 1000);
                })
                .checkpoint(memory())
                .write(FileSink.to(
                        out(),
                        new ArrowFormat(IpcCompression.NONE),
                        WriteOptions.defaults().overwrite()));
    }

    private List<Long> ids() {
        return session.readArrow(out()).takeAll().stream()
                .map(row -> row.getLong("id"))
                .toList();
    }

    private static List<Long> from(long start, long end) {
        return LongStream.range(start, end).boxed().toList();
    }

    @Test
    void nothingNewIsSeenBeforeTheLastPartIsDone() {
        session.range(30, 3).writeArrow(out());
        LIMIT.set(55);
        assertThatThrownBy(this::overwrite).hasMessageContaining("enough");
        assertThat(Checkpoint.status(memory()).done()).isPositive();
        assertThat(ids()).isEqualTo(from(0, 30));
        LIMIT.set(1000);
        // Dies in the last commit at one step after the other, each time a little later.
        for (int nth = 1; nth < 30; nth += 6) {
            AtomicInteger left = new AtomicInteger(nth);
            CommitSteps.watcher = step -> {
                if (left.decrementAndGet() == 0) {
                    throw new AssertionError("dead at " + step);
                }
            };
            assertThatThrownBy(this::overwrite).hasMessageContaining("dead at");
            CommitSteps.watcher = _ -> {};
            assertThat(ids()).as("step %d", nth).isEqualTo(from(0, 30));
        }
        overwrite();
        assertThat(ids()).isEqualTo(from(1000, 1100));
        assertThat(TemporaryFolder.of(folder.resolve("out"))).doesNotExist();
        assertThat(SuccessMarker.isSet(folder.resolve("out"))).isTrue();
    }
}

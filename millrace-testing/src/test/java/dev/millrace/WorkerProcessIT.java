package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.ProcessRuntime;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Worker processes that really die cost the tasks that were in them, and nothing else.
@Timeout(120)
class WorkerProcessIT {
    private static final int PROCESSES = 2;
    private static final long ROWS = 400;
    private static final int SPLITS = 20;

    @TempDir
    Path folder;

    private ProcessRuntime processes;
    private Session session;

    @BeforeEach
    void open() {
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(account -> processes = new ProcessRuntime(account, Resources.cpus(4), PROCESSES))
                .open();
    }

    /// Throws if a byte is held, here or in a process that lives.
    @AfterEach
    void close() {
        session.close();
    }

    /// How a process ends.
    private enum Death {
        HALT,
        CRASH;

        void die() {
            switch (this) {
                case HALT -> Runtime.getRuntime().halt(9);
                case CRASH -> MemorySegment.ofAddress(8).reinterpret(8).set(ValueLayout.JAVA_LONG, 0, 42);
            }
        }
    }

    /// Dies at a row, once.
    private static RowFunction deadlyAt(long id, Death death, Path marker) {
        String file = marker.toString();
        return row -> {
            if (row.getLong("id") == id && isFirst(file)) {
                death.die();
            }
            return row.with("seen", true);
        };
    }

    private static boolean isFirst(String marker) throws IOException {
        try {
            Files.createFile(Path.of(marker));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private static List<Long> ids(List<Row> rows) {
        return rows.stream().map(row -> row.getLong("id")).toList();
    }

    private static List<Long> all() {
        return LongStream.range(0, ROWS).boxed().toList();
    }

    private void assertOnlyLostTasksRanAgain(int tasks) {
        assertThat(processes.lostTasks()).isNotEmpty();
        assertThat(processes.submittedTasks())
                .isEqualTo(tasks + processes.lostTasks().size());
    }

    @Test
    void functionsRunInOtherProcesses() {
        long own = ProcessHandle.current().pid();
        List<Row> rows = session.range(ROWS, SPLITS)
                .map(row -> row.with("pid", ProcessHandle.current().pid()))
                .takeAll();
        assertThat(ids(rows)).isEqualTo(all());
        assertThat(rows.stream().map(row -> row.getLong("pid")).distinct().toList())
                .hasSize(PROCESSES)
                .doesNotContain(own);
        assertThat(processes.submittedTasks()).isEqualTo(SPLITS);
    }

    @Test
    void aProcessThatHaltsCostsItsTasks() {
        Dataset dataset = session.range(ROWS, SPLITS).map(deadlyAt(137, Death.HALT, folder.resolve("halted")));
        assertThat(ids(dataset.takeAll())).isEqualTo(all());
        assertThat(processes.died()).isEqualTo(1);
        assertOnlyLostTasksRanAgain(SPLITS);
    }

    @Test
    void aProcessThatCrashesInNativeCodeCostsItsTasks() {
        Dataset dataset = session.range(ROWS, SPLITS).map(deadlyAt(250, Death.CRASH, folder.resolve("crashed")));
        assertThat(ids(dataset.takeAll())).isEqualTo(all());
        assertThat(processes.died()).isEqualTo(1);
        assertOnlyLostTasksRanAgain(SPLITS);
    }

    @Test
    void deadLettersOfTasksThatWereLostComeOnce() {
        Dataset dataset = session.range(ROWS, SPLITS)
                .map(deadlyAt(215, Death.HALT, folder.resolve("letters")))
                .map(
                        row -> {
                            if (row.getLong("id") % 10 == 3) {
                                throw new IllegalArgumentException("three");
                            }
                            return row;
                        },
                        Compute.defaults().onError(ErrorPolicy.deadLetter("threes")));
        assertThat(dataset.takeAll()).hasSize((int) ROWS * 9 / 10);
        assertThat(processes.died()).isEqualTo(1);
        assertThat(dataset.deadLetters().count()).isEqualTo(ROWS / 10);
    }

    /// An object with state that takes its process with it.
    private record Model(long deadlyId, String marker) implements BatchFunction {
        @Override
        public Batch apply(Batch batch) throws Exception {
            for (long id : batch.longs("id").toArray()) {
                if (id == deadlyId && isFirst(marker)) {
                    Death.CRASH.die();
                }
            }
            return batch;
        }
    }

    @Test
    void actorsOfAProcessThatDiesAreStartedAgainElsewhere() {
        String marker = folder.resolve("actor").toString();
        Dataset dataset = session.range(ROWS, SPLITS)
                .mapBatches(() -> new Model(301, marker), Compute.actors(2).batchSize(20));
        assertThat(ids(dataset.takeAll())).isEqualTo(all());
        assertThat(processes.died()).isEqualTo(1);
    }

    @Test
    void aWriteGoesOnWhenAProcessIsKilled() {
        String out = folder.resolve("out").toString();
        Dataset dataset = session.range(ROWS, SPLITS).map(deadlyAt(333, Death.HALT, folder.resolve("written")));
        assertThat(dataset.writeArrow(out).rows()).isEqualTo(ROWS);
        assertThat(ids(session.readArrow(out).takeAll())).isEqualTo(all());
        assertThat(processes.died()).isEqualTo(1);
        assertThat(folder.resolve("out").resolve("_temporary")).doesNotExist();
    }
}

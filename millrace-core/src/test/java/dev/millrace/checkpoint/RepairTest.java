package dev.millrace.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Checkpoint;
import dev.millrace.Session;
import dev.millrace.compression.IpcCompression;
import dev.millrace.files.FileSink;
import dev.millrace.internal.sink.ArrowFormat;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.ResumableSink;
import dev.millrace.sink.SinkWriter;
import dev.millrace.sink.WriteJob;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteSummary;
import dev.millrace.sink.WriteTask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A job that dies between the note of a commit and its renames, or between those: the next start brings the files
/// home.
@Timeout(60)
class RepairTest {
    private static final AtomicInteger CALLS = new AtomicInteger();

    @TempDir
    Path folder;

    /// Dies when it is to settle for the nth time, after so many of the renames.
    private record DyingSink(FileSink below, int nth, int renames) implements ResumableSink {
        @Override
        public void settle(WriteJob job, List<Placement> placements) {
            if (CALLS.incrementAndGet() == nth) {
                below.settle(job, placements.subList(0, Math.min(renames, placements.size())));
                throw new AssertionError("dead");
            }
            below.settle(job, placements);
        }

        @Override
        public String name() {
            return below.name();
        }

        @Override
        public boolean start(WriteJob job) {
            return below.start(job);
        }

        @Override
        public SinkWriter open(WriteTask task) throws Exception {
            return below.open(task);
        }

        @Override
        public WriteSummary commit(WriteJob job, List<Fragment> fragments) {
            return below.commit(job, fragments);
        }

        @Override
        public void abort(WriteJob job) {
            below.abort(job);
        }

        @Override
        public List<Placement> place(WriteJob job, long task, List<Fragment> fragments) {
            return below.place(job, task, fragments);
        }

        @Override
        public void resume(WriteJob job) {
            below.resume(job);
        }

        @Override
        public WriteSummary finish(WriteJob job, List<Placement> all) {
            return below.finish(job, all);
        }

        @Override
        public WriteSummary summary(List<Placement> all, boolean skipped) {
            return below.summary(all, skipped);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void notedFilesAreBroughtHome(int renames) throws Exception {
        String out = folder.resolve("out").toString();
        String memory = folder.resolve("memory").toString();
        FileSink sink = FileSink.to(
                out,
                new ArrowFormat(IpcCompression.NONE),
                WriteOptions.defaults().maxRowsPerFile(4));
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            for (int death = 1; death <= 5; death++) {
                CALLS.set(0);
                int nth = death;
                // From the second start on, the first call repairs what the one before has left.
                assertThatThrownBy(() ->
                                session.range(200, 20).checkpoint(memory).write(new DyingSink(sink, nth, renames)))
                        .isInstanceOf(AssertionError.class);
                assertThat(Checkpoint.status(memory).done()).isPositive();
            }
            session.range(200, 20).checkpoint(memory).write(sink);
            assertThat(session.readArrow(out).takeAll().stream().map(row -> row.getLong("id")))
                    .containsExactlyElementsOf(LongStream.range(0, 200).boxed().toList());
        }
        try (Stream<Path> files = Files.list(Path.of(out))) {
            assertThat(files.filter(file -> !file.endsWith("_SUCCESS"))).hasSize(60);
        }
    }

    @org.junit.jupiter.api.Test
    void aFileThatSomebodyRemovedIsTold() throws Exception {
        String out = folder.resolve("out").toString();
        String memory = folder.resolve("memory").toString();
        FileSink sink = FileSink.to(out, new ArrowFormat(IpcCompression.NONE), WriteOptions.defaults());
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            CALLS.set(0);
            assertThatThrownBy(() -> session.range(20, 5).checkpoint(memory).write(new DyingSink(sink, 2, 0)))
                    .isInstanceOf(AssertionError.class);
            dev.millrace.internal.commit.FolderTrees.delete(Path.of(out, "_temporary"));
            assertThatThrownBy(() -> session.range(20, 5).checkpoint(memory).write(sink))
                    .hasMessageContaining("is missing, and so is")
                    .hasMessageContaining("delete the checkpoint and the output, and start again");
        }
    }
}

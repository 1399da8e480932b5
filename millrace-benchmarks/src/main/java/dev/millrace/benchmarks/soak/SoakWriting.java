package dev.millrace.benchmarks.soak;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.MillraceException;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteSummary;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Writes a pipeline to files and reads them back: in one run, or with failures in between and a checkpoint.
final class SoakWriting {
    /// The number of failures before a job may finish.
    private static final int MAX_FAILURES = 3;

    private final Session session;
    private final SplittableRandom random;
    private final Path folder;

    SoakWriting(Session session, SplittableRandom random, Path folder) {
        this.session = session;
        this.random = random;
        this.folder = folder;
    }

    String out() {
        return folder.resolve("out").toString();
    }

    private IpcCompression compression() {
        return IpcCompression.values()[random.nextInt(IpcCompression.values().length)];
    }

    /// The written rows as read back.
    List<Row> plain(Built built) {
        int most = random.nextInt(3) == 0 ? 1 + random.nextInt(500) : 0;
        WriteOptions options =
                most == 0 ? WriteOptions.defaults() : WriteOptions.defaults().maxRowsPerFile(most);
        return readBack(built.dataset().writeArrow(out(), options, compression()), built);
    }

    /// A job that fails at some rows and is restarted each time; null if the plan cannot be resumed.
    @Nullable
    List<Row> resumed(Built built) {
        AtomicLong poison = new AtomicLong(Long.MIN_VALUE);
        Dataset job;
        try {
            job = built.dataset()
                    .map(Functions.poisoned(poison))
                    .checkpoint(folder.resolve("memory").toString());
        } catch (MillraceException e) {
            if (e.getMessage().startsWith("checkpoint: ")) {
                return null;
            }
            throw e;
        }
        IpcCompression compression = compression();
        int failures = built.rows().isEmpty() ? 0 : random.nextInt(MAX_FAILURES + 1);
        for (int i = 0; i < failures; i++) {
            poison.set(Functions.id(built.rows().get(random.nextInt(built.rows().size()))));
            try {
                // The row may be in a split that is already done.
                return readBack(job.writeArrow(out(), WriteOptions.defaults(), compression), built);
            } catch (MillraceException e) {
                if (!e.getMessage().contains("soak: id ")) {
                    throw e;
                }
            }
        }
        poison.set(Long.MIN_VALUE);
        return readBack(job.writeArrow(out(), WriteOptions.defaults(), compression), built);
    }

    private List<Row> readBack(WriteSummary written, Built built) {
        if (written.rows() != built.rows().size()) {
            throw new AssertionError("the write tells of " + written.rows() + " rows, not "
                    + built.rows().size());
        }
        // An empty result may be no file, or one without columns.
        return built.rows().isEmpty() ? List.of() : session.readArrow(out()).takeAll();
    }
}

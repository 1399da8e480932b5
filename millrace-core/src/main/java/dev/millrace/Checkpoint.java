package dev.millrace;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.checkpoint.CheckpointManifest;
import dev.millrace.internal.checkpoint.CommitLog;
import dev.millrace.sink.ResumableSink;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The state of a checkpointed write. The folder holds a `manifest` (which job), `commits` (which splits are done) and
/// a `lock`; if the folder is deleted, the next write starts from the beginning.
public final class Checkpoint {
    private Checkpoint() {}

    /// The progress of a job.
    ///
    /// @param done splits whose rows are written
    /// @param total splits of the source
    /// @param finished the job is complete; running it again does nothing
    /// @param rows written so far
    /// @param target e.g. "Arrow(/data/out)"
    public record Status(long done, long total, boolean finished, long files, long rows, long bytes, String target) {
        @Override
        public String toString() {
            return done + " of " + total + " splits, " + rows + " rows, " + bytes + " bytes in " + files + " files, to "
                    + target + (finished ? ", finished" : "");
        }
    }

    /// Reads a checkpoint, also while its job runs.
    public static Status status(String folder) {
        Path path = Path.of(folder).toAbsolutePath().normalize();
        CheckpointManifest manifest = CheckpointManifest.read(path)
                .orElseThrow(() -> MillraceException.user("There is no checkpoint in '" + path + "'."));
        CommitLog log = CommitLog.read(path);
        List<ResumableSink.Placement> files =
                log.done().values().stream().flatMap(List::stream).toList();
        return new Status(
                log.done().headMap(manifest.splits()).size(),
                manifest.splits(),
                log.isFinished(),
                files.size(),
                sum(files.stream().map(ResumableSink.Placement::rows)),
                sum(files.stream().map(ResumableSink.Placement::bytes)),
                manifest.target());
    }

    private static long sum(Stream<Long> values) {
        return values.mapToLong(Long::longValue).sum();
    }
}

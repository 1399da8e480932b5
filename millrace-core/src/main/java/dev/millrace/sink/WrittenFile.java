package dev.millrace.sink;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// A file, or a sink's equivalent, that waits for the commit.
///
/// @param path in the sink's own terms; for a [dev.millrace.files.FileSink] below the job's temporary folder
/// @param folder where it belongs below the sink's folder, e.g. `year=2024`; empty: in the folder itself
/// @param name of the file, if its rows determine it; null: [WriteOptions#names] names it
public record WrittenFile(
        String path, String folder, @Nullable String name, long rows, long bytes) implements Serializable {
    /// A file that belongs to no partition.
    public WrittenFile(String path, long rows, long bytes) {
        this(path, "", null, rows, bytes);
    }
}

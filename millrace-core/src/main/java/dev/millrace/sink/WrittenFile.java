package dev.millrace.sink;

import java.io.Serializable;

/// A file, or whatever a sink calls one, that waits for the commit.
///
/// @param path in the sink's own terms; for a [FileSink] below the job's temporary folder
public record WrittenFile(String path, long rows, long bytes) implements Serializable {}

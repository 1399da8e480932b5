package dev.millrace.sink;

import java.util.List;

/// Opens folders of storages other than local disks for writing; named in
/// `META-INF/services/dev.millrace.sink.TargetProvider`.
public interface TargetProvider {
    /// In lower case, without "://": "s3".
    List<String> schemes();

    /// The folder as a target; nothing is written yet.
    ///
    /// @param folder as the user wrote it, scheme included
    /// @param endings of files that a read of the folder would find
    Target open(String folder, List<String> endings);
}

package dev.millrace.sink;

import java.io.Serializable;
import java.util.List;

/// What one task has written: everything that the driver needs to commit it.
public record Fragment(List<WrittenFile> files) implements Serializable {
    public Fragment {
        files = List.copyOf(files);
    }

    /// The number of rows.
    public long rows() {
        return files.stream().mapToLong(WrittenFile::rows).sum();
    }
}

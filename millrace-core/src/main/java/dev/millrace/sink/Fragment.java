package dev.millrace.sink;

import java.io.Serializable;
import java.util.List;

/// What one task has written: all that the driver needs to commit it.
public record Fragment(List<WrittenFile> files) implements Serializable {
    public Fragment {
        files = List.copyOf(files);
    }

    /// How many rows it has.
    public long rows() {
        return files.stream().mapToLong(WrittenFile::rows).sum();
    }
}

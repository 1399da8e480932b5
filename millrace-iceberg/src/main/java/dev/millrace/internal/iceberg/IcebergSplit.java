package dev.millrace.internal.iceberg;

import dev.millrace.source.ReadContext;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import java.util.List;
import java.util.OptionalLong;

/// Files, or row groups of one file, read by one task. Contains paths and ranges: workers need no catalog.
///
/// @param knownRows -1 if unknown before the read
/// @param bytes the estimated bytes in memory
record IcebergSplit(TableRead read, List<PlannedFile> files, long knownRows, long bytes) implements Split {
    @Override
    public String description() {
        String first = files.getFirst().file().path();
        return files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more files";
    }

    @Override
    public OptionalLong rows() {
        return knownRows < 0 ? OptionalLong.empty() : OptionalLong.of(knownRows);
    }

    @Override
    public OptionalLong sizeBytes() {
        return OptionalLong.of(bytes);
    }

    @Override
    public List<String> inputFiles() {
        return files.stream().map(planned -> planned.file().path()).toList();
    }

    @Override
    public SplitReader open(ReadContext context) {
        return new IcebergReader(this, context);
    }
}

package dev.millrace.internal.parquet.read;

import dev.millrace.source.ReadContext;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import java.util.List;
import java.util.OptionalLong;

/// Files, or row groups of one file, read by one task.
///
/// @param knownRows -1 if unknown before the read
/// @param bytes the estimated bytes in memory
record ParquetSplit(ParquetReadPlan plan, List<FilePart> parts, long knownRows, long bytes) implements Split {
    @Override
    public String description() {
        String first = parts.getFirst().description();
        return parts.size() == 1 ? first : first + " and " + (parts.size() - 1) + " more files";
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
        return parts.stream().map(FilePart::file).toList();
    }

    @Override
    public SplitReader open(ReadContext context) {
        return new ParquetReader(this, context);
    }
}

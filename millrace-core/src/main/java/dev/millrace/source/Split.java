package dev.millrace.source;

import java.io.Serializable;
import java.util.List;
import java.util.OptionalLong;

/// One unit of parallel reading: part of a file, a few small files, a range of ids. Serialisable unless its source is
/// local.
public interface Split extends Serializable {
    /// What errors call it: "part-3.parquet, row groups 0-3", "ids 500-999".
    String description();

    /// How many rows it has, if that is known without reading.
    default OptionalLong rows() {
        return OptionalLong.empty();
    }

    /// About how many bytes its rows take in memory, if that can be told.
    default OptionalLong sizeBytes() {
        return OptionalLong.empty();
    }

    /// The files that it reads, if it reads any.
    default List<String> inputFiles() {
        return List.of();
    }

    /// Starts reading, on the thread that will call the reader.
    SplitReader open(ReadContext context) throws Exception;
}

package dev.millrace;

import dev.millrace.source.ColumnStatistics;
import java.util.OptionalDouble;

/// A dataset that a query may refer to.
///
/// @param statistics known without running it
public record SqlTable(Dataset dataset, Statistics statistics) {
    /// Queried only if needed: an answer may require reading files.
    public interface Statistics {
        /// The number of rows, or an estimate from the size of files.
        OptionalDouble rows();

        /// The statistics of a column of the dataset.
        ColumnStatistics column(String name);
    }
}

package dev.millrace;

import dev.millrace.source.ColumnStatistics;
import java.util.OptionalDouble;

/// A dataset that a query may name.
///
/// @param statistics what is known of it without running it
public record SqlTable(Dataset dataset, Statistics statistics) {
    /// Asked only where it matters: an answer may need a look at files.
    public interface Statistics {
        /// The number of rows, or an estimate by the size of files.
        OptionalDouble rows();

        /// Of a column of the dataset.
        ColumnStatistics column(String name);
    }
}

/// Aggregates of the rows of a group: [Aggregates] creates the descriptions that `groupBy(...).aggregate(...)` and
/// `dataset.aggregate(...)` accept. The implementation is in `internal.kernel.aggregate`.
@NullMarked
package dev.millrace.aggregate;

import org.jspecify.annotations.NullMarked;

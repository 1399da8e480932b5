/// What is computed of the rows of a group: [Aggregates] makes the values that `groupBy(...).aggregate(...)` and
/// `dataset.aggregate(...)` take. Only descriptions; what computes them is in `internal.kernel.aggregate`.
@NullMarked
package dev.millrace.aggregate;

import org.jspecify.annotations.NullMarked;

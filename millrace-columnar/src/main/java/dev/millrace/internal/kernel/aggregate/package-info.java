/// Grouping and aggregation. [GroupTable] assigns group ids to rows, [GroupAccumulator] keeps the state of an aggregate
/// for each group, [GroupedBlocks] combines both: rows to partial states (partial aggregation), states to results
/// (final aggregation).
@NullMarked
package dev.millrace.internal.kernel.aggregate;

import org.jspecify.annotations.NullMarked;

/// Predicate pushdown by statistics: which row groups and pages contain no row that can pass a filter. Reads no data.
@NullMarked
package dev.millrace.internal.parquet.prune;

import org.jspecify.annotations.NullMarked;

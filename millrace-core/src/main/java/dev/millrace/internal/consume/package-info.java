/// How a dataset is consumed: [dev.millrace.internal.consume.SessionExecutions] starts runs and tracks what is open,
/// [dev.millrace.internal.consume.DatasetExecution] is one run with its consumer, and one class each turns its blocks
/// into rows, batches, counts, tables, splits. The input is a plan, the output are values; the public API holds no
/// logic of its own.
@NullMarked
package dev.millrace.internal.consume;

import org.jspecify.annotations.NullMarked;

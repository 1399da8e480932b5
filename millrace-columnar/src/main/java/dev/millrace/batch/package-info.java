/// The arguments of users' functions: [dev.millrace.batch.Batch]es of columns and [dev.millrace.batch.Row]s. A
/// [dev.millrace.batch.BatchScope] owns what one call creates; a [dev.millrace.batch.RowCursor] is a row of a block.
/// Depends on columns, blocks, kernels and expressions, but not on tasks.
@NullMarked
package dev.millrace.batch;

import org.jspecify.annotations.NullMarked;

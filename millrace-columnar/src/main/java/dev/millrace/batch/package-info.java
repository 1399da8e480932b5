/// The arguments of users' functions: [dev.millrace.batch.Batch]es of columns and [dev.millrace.batch.Row]s. A
/// [dev.millrace.batch.BatchScope] owns what one call creates; a [dev.millrace.batch.RowCursor] is a row of a block.
/// Depends on columns, blocks, kernels and expressions, but not on tasks.
package dev.millrace.batch;

/// What a user's function sees: [dev.millrace.batch.Batch]es of columns and [dev.millrace.batch.Row]s. A
/// [dev.millrace.batch.BatchScope] owns what one call makes; a [dev.millrace.batch.RowCursor] is a row of a block.
/// Knows columns, blocks, kernels and expressions; knows no tasks.
package dev.millrace.batch;

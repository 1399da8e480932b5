/// Converts columns of a batch to dense tensors in native memory: as views if possible, else converted, filled and
/// padded into memory of the batch's account. [BatchTensors] processes a batch, [ColumnTensor] a column. No engine, no
/// runs.
@NullMarked
package dev.millrace.internal.tensor;

import org.jspecify.annotations.NullMarked;

/// Columns of a batch become dense tensors in native memory: as they lie where that is possible, else converted, filled
/// and padded into memory of the batch's account. [BatchTensors] does a batch, [ColumnTensor] a column. No engine, no
/// runs.
package dev.millrace.internal.tensor;

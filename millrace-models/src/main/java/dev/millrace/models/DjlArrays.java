package dev.millrace.models;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.DirectTensor;
import dev.millrace.iteration.TensorBatch;
import java.nio.ByteBuffer;

/// A batch of tensors as arrays of the Deep Java Library (DJL), for training with it. Requires `ai.djl:api` and an
/// engine on the class path.
///
/// DJL's engine for onnxruntime must be the first user of onnxruntime in a process; it does not start after an
/// [OnnxModel] was loaded there. Its other engines have no such restriction.
///
/// Engines may use the given memory instead of a copy (PyTorch's and onnxruntime's do), and arrays of DJL are mutable:
/// therefore an array of a read-only tensor, which is a view of the dataset's memory, is a copy. Arrays of writable
/// tensors ([dev.millrace.iteration.TensorBatchOptions#writable]) may use the batch's memory and are valid as long as
/// the batch is. Create a manager for each batch and close it before requesting the next batch:
///
/// ```java
/// for (TensorBatch batch : batches) {
///     try (NDManager step = manager.newSubManager()) {
///         NDList arrays = DjlArrays.of(batch, step);
/// ```
public final class DjlArrays {
    private DjlArrays() {}

    /// One array per tensor, with the tensor's name, in the order of the batch.
    public static NDList of(TensorBatch batch, NDManager manager) {
        NDList arrays = new NDList();
        batch.tensors().forEach(tensor -> arrays.add(of(tensor, manager)));
        return arrays;
    }

    /// One tensor as an array of this manager.
    public static NDArray of(DirectTensor tensor, NDManager manager) {
        ByteBuffer values = tensor.bytes();
        if (values.isReadOnly()) {
            values = manager.allocateDirect(values.capacity()).put(values).rewind();
        }
        NDArray array = manager.create(values, new Shape(tensor.shape()), type(tensor));
        array.setName(tensor.name());
        return array;
    }

    private static DataType type(DirectTensor tensor) {
        return switch (tensor.type()) {
            case dev.millrace.type.DataType.Bool _ -> DataType.BOOLEAN;
            case dev.millrace.type.DataType.Float real ->
                switch (real.bits()) {
                    case 16 -> DataType.FLOAT16;
                    case 32 -> DataType.FLOAT32;
                    default -> DataType.FLOAT64;
                };
            case dev.millrace.type.DataType.Int integer ->
                switch (integer.bits()) {
                    case 8 -> integer.signed() ? DataType.INT8 : DataType.UINT8;
                    case 16 -> integer.signed() ? DataType.INT16 : DataType.UINT16;
                    case 32 -> integer.signed() ? DataType.INT32 : DataType.UINT32;
                    default -> integer.signed() ? DataType.INT64 : DataType.UINT64;
                };
            default -> throw MillraceException.internal("a tensor of " + tensor.type());
        };
    }
}

package dev.millrace.internal.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/// onnxruntime tensors over our memory: onnxruntime reads and writes it directly, without a copy.
public final class TensorViews {
    private TensorViews() {}

    /// Whether onnxruntime accepts memory of this element type.
    public static boolean takes(DataType element) {
        return ElementTypes.overMemory(element) != null;
    }

    /// @param memory native, exactly the size of the tensor, at most 2 GiB; alive until the tensor is closed
    public static OnnxTensor over(OrtEnvironment environment, MemorySegment memory, long[] shape, DataType element)
            throws OrtException {
        ByteBuffer bytes = memory.asByteBuffer().order(ByteOrder.nativeOrder());
        OnnxJavaType type = Objects.requireNonNull(ElementTypes.overMemory(element), "other types were refused");
        return switch (type) {
            case FLOAT -> OnnxTensor.createTensor(environment, bytes.asFloatBuffer(), shape);
            case DOUBLE -> OnnxTensor.createTensor(environment, bytes.asDoubleBuffer(), shape);
            case INT32 -> OnnxTensor.createTensor(environment, bytes.asIntBuffer(), shape);
            case INT64 -> OnnxTensor.createTensor(environment, bytes.asLongBuffer(), shape);
            case INT16, FLOAT16 -> OnnxTensor.createTensor(environment, bytes.asShortBuffer(), shape, type);
            default -> OnnxTensor.createTensor(environment, bytes, shape, type);
        };
    }
}

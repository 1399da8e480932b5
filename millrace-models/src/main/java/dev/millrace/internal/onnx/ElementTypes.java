package dev.millrace.internal.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.TensorInfo;
import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Maps element types of onnxruntime to those of columns.
final class ElementTypes {
    private ElementTypes() {}

    /// The model's declaration in terms of column types.
    static ModelTensor describe(NodeInfo node) {
        if (!(node.getInfo() instanceof TensorInfo info)) {
            // A sequence or a map, which no column type represents.
            return new ModelTensor(node.getName(), null, List.of(), List.of());
        }
        List<Long> shape = Arrays.stream(info.getShape())
                .mapToObj(size -> size < 0 ? ModelTensor.OPEN : size)
                .toList();
        List<String> names = new ArrayList<>();
        for (String name : info.getDimensionNames()) {
            names.add(name == null ? "" : name);
        }
        return new ModelTensor(node.getName(), typeOf(info), shape, names);
    }

    /// The element type of a column for such values; null if there is none.
    static @Nullable DataType typeOf(TensorInfo info) {
        return switch (info.onnxType) {
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT -> DataType.FLOAT32;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE -> DataType.FLOAT64;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 -> DataType.FLOAT16;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 -> DataType.INT8;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16 -> DataType.INT16;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 -> DataType.INT32;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 -> DataType.INT64;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 -> DataType.UINT8;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16 -> DataType.UINT16;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32 -> DataType.UINT32;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64 -> DataType.UINT64;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL -> DataType.BOOL;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING -> DataType.UTF8;
            default -> null;
        };
    }

    /// The same for the type code in a model file; null if there is none.
    static @Nullable DataType ofCode(int code) {
        return switch (code) {
            case 1 -> DataType.FLOAT32;
            case 2 -> DataType.UINT8;
            case 3 -> DataType.INT8;
            case 4 -> DataType.UINT16;
            case 5 -> DataType.INT16;
            case 6 -> DataType.INT32;
            case 7 -> DataType.INT64;
            case 8 -> DataType.UTF8;
            case 9 -> DataType.BOOL;
            case 10 -> DataType.FLOAT16;
            case 11 -> DataType.FLOAT64;
            case 12 -> DataType.UINT32;
            case 13 -> DataType.UINT64;
            default -> null;
        };
    }

    /// The type under which onnxruntime's Java API accepts memory of this element type; null if it accepts none:
    /// unsigned integers of more than 8 bits, strings.
    static @Nullable OnnxJavaType overMemory(DataType element) {
        return switch (element) {
            case DataType.Bool _ -> OnnxJavaType.BOOL;
            case DataType.Float real ->
                real.bits() == 16 ? OnnxJavaType.FLOAT16 : real.bits() == 32 ? OnnxJavaType.FLOAT : OnnxJavaType.DOUBLE;
            case DataType.Int integer
            when integer.signed() ->
                switch (integer.bits()) {
                    case 8 -> OnnxJavaType.INT8;
                    case 16 -> OnnxJavaType.INT16;
                    case 32 -> OnnxJavaType.INT32;
                    default -> OnnxJavaType.INT64;
                };
            case DataType.Int integer -> integer.bits() == 8 ? OnnxJavaType.UINT8 : null;
            case DataType.Null _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> null;
        };
    }

    /// The element type of a tensor that is converted to or from a column.
    static DataType of(ModelTensor tensor) {
        return Objects.requireNonNull(tensor.element(), "other tensors were refused");
    }

    /// The number of bytes of an element in a tensor.
    static int width(DataType element) {
        return switch (element) {
            case DataType.Bool _ -> 1;
            case DataType.Int integer -> integer.bits() / 8;
            case DataType.Float real -> real.bits() / 8;
            case DataType.Null _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw new IllegalArgumentException(element + " has no width in a tensor");
        };
    }
}

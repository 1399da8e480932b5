package dev.millrace.internal.onnx;

import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which columns fit an input, according to their types.
///
/// @param element the type of each value
/// @param shape the shape of one row; null if it varies by row
record RowTypes(DataType element, @Nullable List<Long> shape) {

    /// The element and shape of a column of this type; empty for types that no model accepts.
    static Optional<RowTypes> of(DataType type) {
        return switch (type) {
            case DataType.Tensor tensor ->
                Optional.of(new RowTypes(
                        tensor.element(),
                        tensor.shape().stream().map(Integer::longValue).toList()));
            case DataType.VariableTensor tensor -> Optional.of(new RowTypes(tensor.element(), null));
            case DataType.FixedList list
            when list.element().isNumeric() -> Optional.of(new RowTypes(list.element(), List.of((long) list.size())));
            case DataType.ListOf list
            when list.element().isNumeric() -> Optional.of(new RowTypes(list.element(), null));
            case DataType.Int _, DataType.Float _, DataType.Bool _, DataType.Utf8 _ ->
                Optional.of(new RowTypes(type, List.of()));
            case DataType.Dictionary dictionary
            when dictionary.value().equals(DataType.UTF8) -> Optional.of(new RowTypes(DataType.UTF8, List.of()));
            case DataType.Null _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _ -> Optional.empty();
        };
    }

    boolean fits(ModelTensor input) {
        return elementFits(input) && (shape == null || shapeFits(shape, input));
    }

    /// A model stores booleans as bytes, so a tensor of uint8 fits too.
    boolean elementFits(ModelTensor input) {
        return element.equals(input.element())
                || DataType.BOOL.equals(input.element())
                        && element.equals(DataType.UINT8)
                        && !List.of().equals(shape);
    }

    /// A scalar also fits if a row has one element.
    static boolean shapeFits(List<Long> row, ModelTensor input) {
        List<Long> wanted = input.rowShape();
        if (input.shape().isEmpty()) {
            return false;
        }
        if (row.isEmpty() && wanted.size() == 1) {
            return sizeFits(1, wanted.getFirst());
        }
        if (row.size() != wanted.size()) {
            return false;
        }
        for (int i = 0; i < row.size(); i++) {
            if (!sizeFits(row.get(i), wanted.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sizeFits(long size, long wanted) {
        return wanted == ModelTensor.OPEN || wanted == size;
    }

    /// Advice for a column that does not fit, or an empty text.
    static String advice(DataType type, ModelTensor input) {
        RowTypes row = of(type).orElse(null);
        if (row == null) {
            return type instanceof DataType.Binary ? " Bytes of files are decoded first, e.g. by readImages." : "";
        }
        if (!row.elementFits(input)) {
            return DataType.UINT8.equals(row.element()) && input.element() instanceof DataType.Float
                    ? " Pixels become floats by a preprocessing step, e.g. ImageNetPreprocess."
                    : " Make the elements " + input.element() + " before.";
        }
        if (row.shape() == null) {
            return "";
        }
        List<Long> moved = new ArrayList<>(row.shape());
        if (moved.size() == 3) {
            moved.addFirst(moved.removeLast());
            if (shapeFits(moved, input)) {
                return " The column has its channels last, the model wants them first: transpose to CHW before.";
            }
            moved.addLast(moved.removeFirst());
            moved.addLast(moved.removeFirst());
            if (shapeFits(moved, input)) {
                return " The column has its channels first, the model wants them last: keep HWC.";
            }
        }
        return "";
    }
}

package dev.millrace.internal.tfrecord;

import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// The kinds of lists in a feature, in the order of their field numbers in `tf.train.Feature`.
enum FeatureKind {
    BYTES,
    FLOAT,
    INT64;

    /// The field number, 1 to 3.
    int field() {
        return ordinal() + 1;
    }

    /// The kind with this field number in `tf.train.Feature`, or null.
    static @Nullable FeatureKind ofField(long field) {
        return field >= 1 && field <= 3 ? values()[(int) field - 1] : null;
    }

    /// The type of one value.
    DataType type() {
        return switch (this) {
            case BYTES -> DataType.BINARY;
            case FLOAT -> DataType.FLOAT32;
            case INT64 -> DataType.INT64;
        };
    }

    /// The kind that is read into a column of this type, or of lists of it; null if there is none.
    static @Nullable FeatureKind readAs(DataType type) {
        return switch (type) {
            case DataType.Binary _, DataType.Utf8 _ -> BYTES;
            case DataType.Float real when real.bits() == 32 -> FLOAT;
            case DataType.Int integer when integer.bits() == 64 && integer.signed() -> INT64;
            case DataType.ListOf list when !(list.element() instanceof DataType.ListOf) -> readAs(list.element());
            // Types that reading never produces.
            default -> null;
        };
    }

    /// The kind that values of this type, or of its elements, are written as; null if there is none.
    static @Nullable FeatureKind writtenAs(DataType type) {
        return switch (type) {
            case DataType.Binary _, DataType.Utf8 _ -> BYTES;
            case DataType.Float _ -> FLOAT;
            case DataType.Int _, DataType.Bool _ -> INT64;
            case DataType.ListOf list when isPlain(list.element()) -> writtenAs(list.element());
            case DataType.FixedList list when isPlain(list.element()) -> writtenAs(list.element());
            case DataType.Tensor tensor -> writtenAs(tensor.element());
            case DataType.VariableTensor tensor -> writtenAs(tensor.element());
            case DataType.Null _ -> BYTES;
            case DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Dictionary _,
                    DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _ -> null;
        };
    }

    private static boolean isPlain(DataType type) {
        return switch (type) {
            case DataType.Binary _, DataType.Utf8 _, DataType.Float _, DataType.Int _, DataType.Bool _ -> true;
            case DataType.Null _, DataType.Decimal _, DataType.Temporal _, DataType.Dictionary _, DataType.Nested _ ->
                false;
        };
    }
}

package dev.millrace.internal.expression;

import dev.millrace.type.DataType;

/// The four primitive forms that arithmetic and comparison kernels exist for.
enum PrimitiveStorage {
    INT,
    LONG,
    FLOAT,
    DOUBLE;

    /// How a type is computed: narrow and unsigned ones in the next signed form that holds them (uint64 as its bits).
    static PrimitiveStorage of(DataType type) {
        return switch (type) {
            case DataType.Float real -> real.bits() == 64 ? DOUBLE : FLOAT;
            case DataType.Int integer -> integer.bits() == 64 || integer.bits() == 32 && !integer.signed() ? LONG : INT;
            // Times, by their width.
            default -> FixedOutput.width(type) == 8 ? LONG : INT;
        };
    }

    /// The type to convert a narrow or unsigned number to before computing; others stay.
    static DataType computed(DataType type) {
        return switch (type) {
            case DataType.Int integer when integer.bits() < 32 -> DataType.INT32;
            case DataType.Int integer when integer.bits() == 32 && !integer.signed() -> DataType.INT64;
            case DataType.Float real when real.bits() == 16 -> DataType.FLOAT32;
            // Computed as they are.
            default -> type;
        };
    }
}

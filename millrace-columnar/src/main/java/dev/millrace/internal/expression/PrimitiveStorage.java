package dev.millrace.internal.expression;

import dev.millrace.type.DataType;

/// The four primitive representations for which arithmetic and comparison kernels exist.
enum PrimitiveStorage {
    INT,
    LONG,
    FLOAT,
    DOUBLE;

    /// The representation in which a type is computed: narrow and unsigned types use the next signed type that holds
    /// them (uint64 its bits).
    static PrimitiveStorage of(DataType type) {
        return switch (type) {
            case DataType.Float real -> real.bits() == 64 ? DOUBLE : FLOAT;
            case DataType.Int integer -> integer.bits() == 64 || integer.bits() == 32 && !integer.signed() ? LONG : INT;
            // Times, by their width.
            default -> FixedOutput.width(type) == 8 ? LONG : INT;
        };
    }

    /// The type to which a narrow or unsigned number is converted before computing; others are unchanged.
    static DataType computed(DataType type) {
        return switch (type) {
            case DataType.Int integer when integer.bits() < 32 -> DataType.INT32;
            case DataType.Int integer when integer.bits() == 32 && !integer.signed() -> DataType.INT64;
            case DataType.Float real when real.bits() == 16 -> DataType.FLOAT32;
            // Computed as stored.
            default -> type;
        };
    }
}

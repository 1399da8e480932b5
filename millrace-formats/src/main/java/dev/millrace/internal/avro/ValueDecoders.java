package dev.millrace.internal.avro;

import dev.millrace.internal.avro.AvroType.Kind;
import dev.millrace.internal.avro.AvroType.Logical;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Creates the decoder of each type.
final class ValueDecoders {
    private ValueDecoders() {}

    static ValueDecoder of(AvroType type) {
        return switch (type) {
            case AvroType.Primitive primitive -> primitive(primitive);
            case AvroType.Fixed fixed ->
                switch (fixed.logical()) {
                    case DECIMAL -> decimals(fixed.size(), fixed.precision(), fixed.scale(), fixed.wide());
                    case UUID -> new ByteDecoders.Uuids();
                    default -> new ByteDecoders.FixedBytes(fixed.size());
                };
            case AvroType.Enumeration enumeration -> new ByteDecoders.Symbols(enumeration.symbols());
            case AvroType.Array array -> new NestedDecoders.Arrays(of(array.items()));
            case AvroType.MapOf map -> new NestedDecoders.Maps(of(map.values()));
            case AvroType.Composite composite ->
                new NestedDecoders.Records(composite.members().stream()
                        .map(member -> of(member.type()))
                        .toArray(ValueDecoder[]::new));
            case AvroType.Union union -> union(union);
        };
    }

    private static ValueDecoder primitive(AvroType.Primitive type) {
        return switch (type.kind()) {
            case NULL -> new NumberDecoders.Nulls();
            case BOOLEAN -> new NumberDecoders.Booleans();
            case INT -> new NumberDecoders.Ints();
            case LONG -> new NumberDecoders.Longs();
            case FLOAT -> new NumberDecoders.Floats();
            case DOUBLE -> new NumberDecoders.Doubles();
            case BYTES ->
                type.logical() == Logical.DECIMAL
                        ? decimals(-1, type.precision(), type.scale(), type.wide())
                        : new ByteDecoders.Bytes(false);
            case STRING -> new ByteDecoders.Bytes(true);
        };
    }

    /// @param size of a value; -1 if each value is preceded by its length
    private static ValueDecoder decimals(int size, int precision, int scale, @Nullable DataType wide) {
        if (!AvroType.isWide(precision)) {
            return new ByteDecoders.Decimals(size);
        }
        return DataType.BINARY.equals(wide)
                ? size < 0 ? new ByteDecoders.Bytes(false) : new ByteDecoders.FixedBytes(size)
                : new WideDecimals(size, scale);
    }

    private static ValueDecoder union(AvroType.Union union) {
        DataType column = ColumnTypes.of(union);
        List<AvroType> branches = union.branches();
        long some =
                branches.stream().filter(branch -> !ColumnTypes.isNull(branch)).count();
        if (some > 1 && column instanceof DataType.Struct) {
            return new NestedDecoders.Members(each(branches, ValueDecoders::of));
        }
        return new NestedDecoders.Branches(each(
                branches,
                branch -> ColumnTypes.isNull(branch)
                        ? of(branch)
                        : column.equals(DataType.INT64) && some > 1
                                ? new NumberDecoders.Longs()
                                : column.equals(DataType.FLOAT64) && isFloat(branch)
                                        ? new NumberDecoders.FloatsAsDoubles()
                                        : of(branch)));
    }

    private static boolean isFloat(AvroType type) {
        return type instanceof AvroType.Primitive primitive && primitive.kind() == Kind.FLOAT;
    }

    private static ValueDecoder[] each(
            List<AvroType> branches, java.util.function.Function<AvroType, ValueDecoder> decoder) {
        List<ValueDecoder> all = new ArrayList<>();
        branches.forEach(branch -> all.add(decoder.apply(branch)));
        return all.toArray(ValueDecoder[]::new);
    }
}

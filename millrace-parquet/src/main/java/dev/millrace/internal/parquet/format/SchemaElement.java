package dev.millrace.internal.parquet.format;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One node of the schema, which a file stores flattened in depth-first order.
///
/// @param type null for a group
/// @param repetition [#REQUIRED], [#OPTIONAL] or [#REPEATED]
/// @param logical null if there is none
/// @param fieldId the id by which a table identifies the node, independent of its name; [#NO_ID] if there is none
public record SchemaElement(
        @Nullable PhysicalType type,
        int typeLength,
        int repetition,
        String name,
        int children,
        @Nullable LogicalType logical,
        int fieldId)
        implements Serializable {
    public static final int REQUIRED = 0;
    public static final int OPTIONAL = 1;
    public static final int REPEATED = 2;
    public static final int NO_ID = -1;

    public SchemaElement(
            @Nullable PhysicalType type,
            int typeLength,
            int repetition,
            String name,
            int children,
            @Nullable LogicalType logical) {
        this(type, typeLength, repetition, name, children, logical, NO_ID);
    }

    /// The type of the values of a leaf, which has one.
    public PhysicalType leafType() {
        return Objects.requireNonNull(type, "a leaf has a type");
    }

    public SchemaElement named(String other) {
        return new SchemaElement(type, typeLength, repetition, other, children, logical, fieldId);
    }

    public SchemaElement identified(int id) {
        return new SchemaElement(type, typeLength, repetition, name, children, logical, id);
    }

    static SchemaElement read(ThriftReader in) {
        PhysicalType type = null;
        int typeLength = 0;
        int repetition = REQUIRED;
        String name = null;
        int children = 0;
        int converted = -1;
        int scale = 0;
        int precision = 0;
        int fieldId = NO_ID;
        LogicalType logical = null;
        in.beginStruct();
        while (in.nextField()) {
            switch (in.fieldId()) {
                case 1 -> type = PhysicalType.of(in.i32());
                case 2 -> typeLength = in.i32();
                case 3 -> repetition = in.i32();
                case 4 -> name = in.string();
                case 5 -> children = in.i32();
                case 6 -> converted = in.i32();
                case 7 -> scale = in.i32();
                case 8 -> precision = in.i32();
                case 9 -> fieldId = in.i32();
                case 10 -> logical = LogicalType.read(in);
                default -> in.skip();
            }
        }
        if (name == null || repetition < REQUIRED || repetition > REPEATED || children < 0 || typeLength < 0) {
            throw new MalformedParquet("its schema is damaged at '" + name + "'");
        }
        return new SchemaElement(
                children > 0 ? null : type,
                typeLength,
                repetition,
                name,
                children,
                logical == null ? LogicalType.ofConverted(converted, scale, precision) : logical,
                fieldId);
    }
}

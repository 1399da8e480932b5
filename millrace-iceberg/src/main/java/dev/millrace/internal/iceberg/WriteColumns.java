package dev.millrace.internal.iceberg;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.schema.SchemaNarrowing;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/// How a dataset's columns are mapped to a table's: by name, widened if the table's type is wider, with the defaults of
/// missing columns.
///
/// @param required columns that must not be null
/// @param defaults of columns that the rows lack; null if a column has no default
public record WriteColumns(String table, Schema schema, List<String> required, Map<String, Object> defaults)
        implements Serializable {
    /// The columns of a table.
    ///
    /// @throws MillraceException culprit USER, for a table that cannot be written to
    public static WriteColumns of(Table table) {
        List<String> required = new ArrayList<>();
        Map<String, Object> defaults = new HashMap<>();
        for (Types.NestedField field : table.schema().columns()) {
            requireWritable(table, field.name(), field.type());
            if (field.isRequired()) {
                required.add(field.name());
            }
            if (field.writeDefault() != null) {
                defaults.put(field.name(), IcebergValues.toJava(field.type(), field.writeDefault()));
            }
        }
        for (PartitionField field : table.spec().fields()) {
            Types.NestedField source = table.schema().asStruct().field(field.sourceId());
            boolean known = source != null && source.type().typeId() != Type.TypeID.TIMESTAMP_NANO;
            if (!known && !field.transform().isVoid()) {
                throw MillraceException.user("The table " + table.name() + " cannot be written to: its partition '"
                        + field.name() + "' is made of a field within a column, or of times in nanoseconds.");
            }
        }
        String format = table.properties().getOrDefault("write.format.default", "parquet");
        if (!format.equalsIgnoreCase("parquet")) {
            throw MillraceException.user("The table " + table.name() + " wants its data written as " + format
                    + " (write.format.default), and only Parquet is supported.");
        }
        if (table.properties().containsKey("encryption.key-id")) {
            throw MillraceException.user(
                    "The table " + table.name() + " wants its data encrypted, which is not supported.");
        }
        return new WriteColumns(table.name(), IcebergTypes.schema(table.schema()), List.copyOf(required), defaults);
    }

    private static void requireWritable(Table table, String column, Type type) {
        switch (type.typeId()) {
            case UUID, FIXED, UNKNOWN ->
                throw MillraceException.user("The table " + table.name() + " cannot be written to: its column '"
                        + column + "' is of type " + type + ", which is only read.");
            default -> {
                if (type.isNestedType()) {
                    for (Types.NestedField field : type.asNestedType().fields()) {
                        requireWritable(table, column, field.type());
                        boolean key = type.isMapType()
                                && field.fieldId() == type.asMapType().keyId();
                        if (field.isRequired() && !key) {
                            throw MillraceException.user("The table " + table.name() + " cannot be written to: its"
                                    + " column '" + column + "' has the required field '" + field.name()
                                    + "' within, and only whole columns may be required.");
                        }
                    }
                }
            }
        }
    }

    /// Rejects columns that the table does not have or that do not fit its types, and missing required columns.
    public void check(Schema rows) {
        for (Field field : rows.fields()) {
            int position = schema.indexOf(field.name());
            if (position < 0) {
                throw MillraceException.user(
                        "The table " + table + " has no column '" + field.name() + "'. It has " + schema.names() + ".");
            }
            if (!SchemaNarrowing.fits(field.type(), schema.field(position).type())) {
                throw MillraceException.user("The column '" + field.name() + "' is " + field.type() + ", and "
                        + schema.field(position).type() + " in the table " + table + ". Cast it.");
            }
        }
        for (String name : required) {
            if (!rows.contains(name) && !defaults.containsKey(name)) {
                throw MillraceException.user(
                        "The table " + table + " requires the column '" + name + "', which the rows to write lack.");
            }
        }
    }

    /// The rows with the table's columns; the caller closes the result.
    ///
    /// @throws MillraceException culprit DATA, if a required column contains a null
    Block conform(Block rows, Allocator allocator) {
        check(rows.schema());
        for (String name : required) {
            Column column = rows.schema().contains(name) ? rows.column(name) : null;
            if (column != null && column.nullCount() > 0) {
                throw MillraceException.data("The column '" + name + "' is required in the table " + table + ", and "
                        + column.nullCount() + " of " + rows.rows() + " rows have null there.");
            }
        }
        try (Block whole = withDefaults(rows, allocator)) {
            return Blocks.widen(allocator, whole, schema);
        }
    }

    private Block withDefaults(Block rows, Allocator allocator) {
        List<Field> fields = new ArrayList<>(rows.schema().fields());
        List<Column> columns = new ArrayList<>(rows.columns());
        List<Column> made = new ArrayList<>();
        try {
            for (Field field : schema.fields()) {
                if (defaults.containsKey(field.name()) && !rows.schema().contains(field.name())) {
                    made.add(Columns.constant(allocator, field.type(), defaults.get(field.name()), rows.rows()));
                    fields.add(field);
                    columns.add(made.getLast());
                }
            }
            return Block.sharing(Schema.of(fields), columns, rows.rows());
        } finally {
            made.forEach(Column::release);
        }
    }
}

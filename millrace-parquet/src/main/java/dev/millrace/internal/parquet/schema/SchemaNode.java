package dev.millrace.internal.parquet.schema;

import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.parquet.Int96Timestamps;
import dev.millrace.type.DataType;
import java.io.Serializable;
import java.util.List;

/// A node of a file's schema as seen by columns: lists and maps without their intermediate groups.
///
/// Parquet stores a repetition and a definition level for each entry of a leaf. An entry creates a slot (a value or
/// null) of a node if its repetition level is at most [#slotRepetition] and its definition level at least
/// [#slotDefinition]; the slot has a value if the definition level is at least [#definition].
public sealed interface SchemaNode extends Serializable {
    String name();

    DataType type();

    int slotRepetition();

    int slotDefinition();

    int definition();

    /// Values, in the column chunk number `column`.
    ///
    /// @param repetition,definition the maximum levels of the column
    /// @param int96 how INT96 timestamps are read, if the values are such
    record Leaf(
            String name,
            DataType type,
            SchemaElement element,
            int column,
            int repetition,
            int slotRepetition,
            int slotDefinition,
            int definition,
            Int96Timestamps int96)
            implements SchemaNode {
        /// Whether a stored value may be read as null.
        public boolean makesNulls() {
            return element.type() == PhysicalType.INT96 && int96 == Int96Timestamps.NULL_BEYOND_NANOSECONDS;
        }
    }

    record Struct(
            String name, DataType type, List<SchemaNode> fields, int slotRepetition, int slotDefinition, int definition)
            implements SchemaNode {}

    /// @param elementDefinition the minimum definition level at which a list has an element
    record ListOf(
            String name,
            DataType type,
            SchemaNode element,
            int slotRepetition,
            int slotDefinition,
            int definition,
            int elementDefinition)
            implements SchemaNode {}

    record MapOf(
            String name,
            DataType type,
            SchemaNode key,
            SchemaNode value,
            int slotRepetition,
            int slotDefinition,
            int definition,
            int elementDefinition)
            implements SchemaNode {}
}

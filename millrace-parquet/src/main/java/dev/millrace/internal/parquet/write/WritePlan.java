package dev.millrace.internal.parquet.write;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.internal.parquet.schema.FieldIds;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.internal.parquet.schema.ParquetWriteSchema;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.parquet.ParquetEncoding;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// How the columns of a schema are written.
///
/// @param leaves in file order
record WritePlan(Schema schema, List<SchemaElement> elements, List<SchemaNode> columns, List<LeafPlan> leaves) {

    /// @throws MillraceException culprit USER, for a column that Parquet cannot store, and for options that name no
    ///     column or do not fit the column they name
    static WritePlan of(Schema schema, WriteParquet options, Map<List<String>, Integer> ids) {
        ParquetWriteSchema written = new ParquetWriteSchema(schema);
        FileSchema file = FileSchema.of(written.elements());
        List<SchemaNode.Leaf> nodes = new ArrayList<>();
        file.columns().forEach(column -> leaves(column, nodes));
        Set<String> unused = new LinkedHashSet<>(options.columns().keySet());
        List<LeafPlan> plans = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            ParquetWriteSchema.Leaf leaf = written.leaves().get(i);
            plans.add(plan(nodes.get(i), leaf, options, unused));
        }
        if (!unused.isEmpty()) {
            throw MillraceException.user("The Parquet options name the columns " + unused + ", which are not there. The"
                    + " columns are " + plans.stream().map(LeafPlan::name).toList() + ".");
        }
        return new WritePlan(
                schema,
                ids.isEmpty() ? written.elements() : FieldIds.assign(written.elements(), ids),
                file.columns(),
                plans);
    }

    private static void leaves(SchemaNode node, List<SchemaNode.Leaf> all) {
        switch (node) {
            case SchemaNode.Leaf leaf -> all.add(leaf);
            case SchemaNode.Struct struct -> struct.fields().forEach(field -> leaves(field, all));
            case SchemaNode.ListOf list -> leaves(list.element(), all);
            case SchemaNode.MapOf map -> {
                leaves(map.key(), all);
                leaves(map.value(), all);
            }
        }
    }

    private static LeafPlan plan(
            SchemaNode.Leaf node, ParquetWriteSchema.Leaf leaf, WriteParquet options, Set<String> unused) {
        WriteParquet.Compressed compression = options.compression();
        ParquetEncoding encoding = null;
        boolean bloomFilter = false;
        for (Map.Entry<String, WriteParquet.Column> said : options.columns().entrySet()) {
            if (stands(said.getKey(), leaf.path())) {
                unused.remove(said.getKey());
                WriteParquet.Column column = said.getValue();
                compression = column.compression() == null ? compression : column.compression();
                encoding = column.encoding() == null ? encoding : column.encoding();
                bloomFilter |= column.bloomFilter();
            }
        }
        LeafPlan plan = new LeafPlan(
                node,
                leaf.path(),
                leaf.type(),
                compression,
                encoding == null ? ParquetEncoding.DICTIONARY : encoding,
                bloomFilter,
                options.rowGroups().rows());
        requireFitting(plan);
        return plan;
    }

    /// Whether a name refers to this leaf: by its path, or by that of an ancestor.
    private static boolean stands(String name, List<String> path) {
        String whole = String.join(".", path);
        return whole.equals(name) || whole.startsWith(name + ".");
    }

    private static void requireFitting(LeafPlan plan) {
        PhysicalType stored = plan.leaf().element().type();
        boolean fits = switch (plan.encoding()) {
            case DICTIONARY, PLAIN -> true;
            case DELTA_BINARY_PACKED -> stored == PhysicalType.INT32 || stored == PhysicalType.INT64;
            case DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY -> stored == PhysicalType.BYTE_ARRAY;
            case BYTE_STREAM_SPLIT -> stored != PhysicalType.BYTE_ARRAY && stored != PhysicalType.BOOLEAN;
        };
        if (!fits) {
            throw MillraceException.user("Column '" + plan.name() + "' of type " + plan.type()
                    + " cannot be written in the encoding " + plan.encoding() + ".");
        }
        if (plan.bloomFilter() && (stored == PhysicalType.BOOLEAN || plan.type() instanceof DataType.Null)) {
            throw MillraceException.user(
                    "Column '" + plan.name() + "' of type " + plan.type() + " cannot have a bloom filter.");
        }
    }
}

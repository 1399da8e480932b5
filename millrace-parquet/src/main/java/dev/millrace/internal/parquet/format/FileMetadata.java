package dev.millrace.internal.parquet.format;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The metadata in a file's footer.
///
/// @param properties key-value pairs by the writer, such as Arrow's schema
public record FileMetadata(
        List<SchemaElement> schema,
        long rows,
        List<RowGroup> rowGroups,
        Map<String, String> properties,
        String createdBy) {

    /// Reads a footer in the range `from` to `end`.
    public static FileMetadata read(byte[] bytes, int from, int end) {
        ThriftReader in = new ThriftReader(bytes, from, end);
        List<SchemaElement> schema = List.of();
        long rows = -1;
        List<RowGroup> rowGroups = List.of();
        Map<String, String> properties = new HashMap<>();
        String createdBy = "";
        boolean[] ordered = {};
        in.beginStruct();
        while (in.nextField()) {
            switch (in.fieldId()) {
                case 2 -> schema = in.structs(SchemaElement::read);
                case 3 -> rows = in.i64();
                case 4 -> rowGroups = in.structs(RowGroup::read);
                case 5 -> in.structs(entry -> property(entry, properties));
                case 6 -> createdBy = in.string();
                case 7 -> ordered = orders(in);
                default -> in.skip();
            }
        }
        if (schema.isEmpty() || rows < 0) {
            throw new MalformedParquet("its footer has no schema or no number of rows");
        }
        long sum = 0;
        for (RowGroup group : rowGroups) {
            sum += group.rows();
            if (sum < 0) {
                throw new MalformedParquet("its row groups have more rows than can be counted");
            }
        }
        // Some writers never fill in the row count of the file.
        if (sum != rows && rows != 0) {
            throw new MalformedParquet("its footer speaks of " + rows + " rows, its row groups of " + sum);
        }
        return new FileMetadata(schema, sum, ordered(rowGroups, ordered), properties, createdBy);
    }

    /// For each leaf whether its bounds have a known order: that of its type (1), or the IEEE 754 total order of floats
    /// (2), where bounds that are NaN or zero are not trusted anyway. A file without this information is assumed to use
    /// the type's order.
    private static boolean[] orders(ThriftReader in) {
        List<Boolean> known = in.structs(order -> {
            boolean one = false;
            order.beginStruct();
            while (order.nextField()) {
                one = order.fieldId() == 1 || order.fieldId() == 2;
                order.skip();
            }
            return one;
        });
        boolean[] all = new boolean[known.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = known.get(i);
        }
        return all;
    }

    private static List<RowGroup> ordered(List<RowGroup> groups, boolean[] known) {
        for (boolean one : known) {
            if (!one) {
                return groups.stream().map(group -> group.ordered(known)).toList();
            }
        }
        return groups;
    }

    private static Void property(ThriftReader in, Map<String, String> properties) {
        String key = null;
        String value = null;
        in.beginStruct();
        while (in.nextField()) {
            switch (in.fieldId()) {
                case 1 -> key = in.string();
                case 2 -> value = in.string();
                default -> in.skip();
            }
        }
        if (key != null && value != null) {
            properties.put(key, value);
        }
        return null;
    }
}

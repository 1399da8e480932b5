package dev.millrace.internal.iceberg;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.internal.parquet.read.TableFiles;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.type.Schema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Removes rows whose values are in equality delete files. The deleted values are on the heap. One thread.
final class EqualityFilter {
    /// Deleted values by the columns that are compared.
    private final Map<Schema, Set<List<Object>>> deleted = new HashMap<>();

    private final Allocator allocator;

    static EqualityFilter load(List<EqualityDelete> deletes, String table, ReadContext context) throws Exception {
        EqualityFilter filter = new EqualityFilter(context.allocator());
        for (EqualityDelete delete : deletes) {
            Schema columns = delete.columns();
            Set<List<Object>> keys = filter.deleted.computeIfAbsent(columns, _ -> new HashSet<>());
            try (SplitReader reader =
                    TableFiles.open(List.of(delete.file()), columns, columns, null, Long.MAX_VALUE, table, context)) {
                for (Block block = reader.next(); block != null; block = reader.next()) {
                    try (Block rows = block) {
                        for (int i = 0; i < rows.rows(); i++) {
                            keys.add(key(rows.columns(), i));
                        }
                    }
                }
            }
        }
        return filter;
    }

    private EqualityFilter(Allocator allocator) {
        this.allocator = allocator;
    }

    private static List<Object> key(List<Column> columns, int row) {
        List<Object> key = new ArrayList<>(columns.size());
        for (Column column : columns) {
            Object value = column.value(row);
            key.add(value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value);
        }
        return key;
    }

    /// The remaining rows. Takes ownership of the block.
    Block apply(Block block) {
        try (block) {
            int[] kept = new int[(int) block.rows()];
            int count = 0;
            for (int i = 0; i < kept.length; i++) {
                kept[count] = i;
                count += isDeleted(block, i) ? 0 : 1;
            }
            return count == kept.length ? block.retain() : Blocks.take(allocator, block, kept, count);
        }
    }

    private boolean isDeleted(Block block, int row) {
        for (Map.Entry<Schema, Set<List<Object>>> one : deleted.entrySet()) {
            List<Column> columns =
                    one.getKey().names().stream().map(block::column).toList();
            if (one.getValue().contains(key(columns, row))) {
                return true;
            }
        }
        return false;
    }
}

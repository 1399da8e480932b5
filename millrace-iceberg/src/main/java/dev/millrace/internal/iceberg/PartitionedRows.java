package dev.millrace.internal.iceberg;

import dev.millrace.block.Block;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// Splits the rows of a block by partition, with the library's partition transforms.
final class PartitionedRows {
    private PartitionedRows() {}

    static Map<PartitionKey, RowNumbers> of(Block block, PartitionSpec spec, Schema schema) {
        Map<PartitionKey, RowNumbers> partitions = new LinkedHashMap<>();
        BlockRow row = new BlockRow(block, spec, schema);
        PartitionKey key = new PartitionKey(spec, schema);
        RowNumbers last = new RowNumbers();
        PartitionKey lastKey = null;
        for (int i = 0; i < block.rows(); i++) {
            row.row = i;
            key.partition(row);
            if (!key.equals(lastKey)) {
                lastKey = key.copy();
                last = partitions.computeIfAbsent(lastKey, _ -> new RowNumbers());
            }
            last.add(i);
        }
        return partitions;
    }

    /// A row view for the library. The block's columns are those of the schema, in the same order.
    private static final class BlockRow implements StructLike {
        private final Block block;
        private final Type[] types;
        private int row;

        BlockRow(Block block, PartitionSpec spec, Schema schema) {
            this.block = block;
            this.types = new Type[schema.columns().size()];
            for (PartitionField field : spec.fields()) {
                Types.NestedField source = schema.asStruct().field(field.sourceId());
                if (source != null) {
                    types[schema.columns().indexOf(source)] = source.type();
                }
            }
        }

        @Override
        public int size() {
            return types.length;
        }

        @Override
        public <T> @Nullable T get(int position, Class<T> javaClass) {
            if (types[position] == null) {
                throw new UnsupportedOperationException("a partition by a field within the column '"
                        + block.schema().field(position).name() + "' is not supported");
            }
            Object value = block.column(position).value(row);
            Object known = value == null ? null : IcebergValues.toIceberg(types[position], value);
            if (value != null && known == null) {
                throw new UnsupportedOperationException("a partition by the column '"
                        + block.schema().field(position).name() + "' of type " + types[position]
                        + " is not supported");
            }
            return javaClass.cast(known);
        }

        @Override
        public <T> void set(int position, T value) {
            throw new UnsupportedOperationException("a block is read only");
        }
    }
}

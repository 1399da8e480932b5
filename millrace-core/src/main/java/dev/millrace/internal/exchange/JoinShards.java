package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Clusters the rows of one side of a join by the hash of its keys, after these were cast to the types in which they
/// are compared.
///
/// @param as the type of each key, null for those that stay
public record JoinShards(List<String> keys, List<@Nullable DataType> as, int partitions) implements ShardMaker {
    public JoinShards {
        keys = List.copyOf(keys);
        as = new ArrayList<>(as);
    }

    @Override
    public void make(MapTask task) {
        try (BundleRows rows = task.rows()) {
            keys.forEach(key -> rows.schema().require(key, "join"));
            ShufflePartitioner byKeys = new HashPartitioner(keys, partitions);
            boolean asTheyAre = as.stream().allMatch(type -> type == null);
            PartitionShards.write(
                    task,
                    rows,
                    asTheyAre ? byKeys : new ByWidened(task.allocator(), keysOf(rows.schema()), byKeys),
                    task.firstRow());
        }
    }

    private Schema keysOf(Schema schema) {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            DataType type = as.get(i);
            String key = keys.get(i);
            fields.add(new Field(key, type == null ? schema.type(key) : type));
        }
        return Schema.of(fields);
    }

    /// Partitions rows by their widened keys. Never leaves its task.
    private record ByWidened(Allocator allocator, Schema to, ShufflePartitioner partitioner)
            implements ShufflePartitioner {
        @Override
        public int partitions() {
            return partitioner.partitions();
        }

        @Override
        public void assign(Block block, long firstRow, MemorySegment assigned) {
            try (Block widened = Blocks.widen(allocator, block, to)) {
                partitioner.assign(widened, firstRow, assigned);
            }
        }
    }
}

package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Clusters the rows of one side of a join by the hash of its keys, after these were brought to the types in which they
/// compare.
///
/// @param as the type of each key, null for those that stay
public record JoinShards(List<String> keys, List<DataType> as, int partitions) implements ShardMaker {
    public JoinShards {
        keys = List.copyOf(keys);
        as = new ArrayList<>(as);
    }

    @Override
    public void make(MapTask task) {
        try (Block block = task.all()) {
            keys.forEach(key -> block.schema().require(key, "join"));
            if (as.stream().allMatch(type -> type == null)) {
                PartitionShards.write(task, block, new HashPartitioner(keys, partitions), task.firstRow());
                return;
            }
            List<Field> fields = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                DataType type = as.get(i);
                String key = keys.get(i);
                fields.add(new Field(key, type == null ? block.schema().type(key) : type));
            }
            try (Block widened = Blocks.widen(task.allocator(), block, Schema.of(fields))) {
                PartitionShards.write(
                        task, block, new ByOtherBlock(widened, new HashPartitioner(keys, partitions)), task.firstRow());
            }
        }
    }

    /// Rows go where the same rows of another block go. Never leaves its task.
    private record ByOtherBlock(Block rows, Partitioner partitioner) implements Partitioner {
        @Override
        public int partitions() {
            return partitioner.partitions();
        }

        @Override
        public void assign(Block block, long firstRow, MemorySegment partitions) {
            partitioner.assign(rows, firstRow, partitions);
        }
    }
}

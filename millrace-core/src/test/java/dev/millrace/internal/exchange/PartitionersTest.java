package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.RandomValues;
import dev.millrace.memory.Buffer;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Every [ShufflePartitioner]: which rows meet, and that blocks and their order do not matter.
class PartitionersTest {
    private static final int PARTITIONS = 7;

    private static int[] assigned(RandomCase each, ShufflePartitioner partitioner, Block block, long firstRow) {
        int rows = Math.toIntExact(block.rows());
        Buffer numbers = each.allocator().allocate(Math.max(1L, rows) * Integer.BYTES);
        try {
            partitioner.assign(block, firstRow, numbers.segment());
            int[] assigned = new int[rows];
            Arrays.setAll(assigned, row -> numbers.segment().getAtIndex(JAVA_INT, row));
            assertThat(Arrays.stream(assigned))
                    .allMatch(partition -> partition >= 0 && partition < partitioner.partitions());
            return assigned;
        } finally {
            numbers.release();
        }
    }

    /// The same of the block cut into pieces.
    private static int[] inPieces(RandomCase each, ShufflePartitioner partitioner, Block block) {
        List<Integer> all = new ArrayList<>();
        long first = 0;
        for (Block piece : each.pieces(block, 5)) {
            try (piece) {
                Arrays.stream(assigned(each, partitioner, piece, first)).forEach(all::add);
                first += piece.rows();
            }
        }
        return all.stream().mapToInt(Integer::intValue).toArray();
    }

    @Test
    void rowsOfEqualKeysGoToOnePartitionWhateverTheirBlocks() {
        RandomCase.check("HashPartitioner", 80, 100, each -> {
            List<Field> fields = new ArrayList<>();
            List<List<Object>> columns = new ArrayList<>();
            for (int i = 1 + each.random().nextInt(3); i > 0; i--) {
                DataType type = each.oneOf(RandomValues.types());
                fields.add(new Field("k" + i, type));
                columns.add(each.values(type, each.rows()));
            }
            each.about(each.rows() + " rows of " + fields);
            ShufflePartitioner partitioner =
                    new HashPartitioner(fields.stream().map(Field::name).toList(), PARTITIONS);
            try (Block block = each.block(fields, columns)) {
                int[] assigned = assigned(each, partitioner, block, 0);
                assertThat(inPieces(each, partitioner, block)).isEqualTo(assigned);
                Map<List<Object>, Integer> partitionOf = new HashMap<>();
                for (int row = 0; row < each.rows(); row++) {
                    List<Object> key = new ArrayList<>();
                    for (List<Object> column : columns) {
                        key.add(OracleValues.normal(column.get(row)));
                    }
                    Integer known = partitionOf.putIfAbsent(key, assigned[row]);
                    assertThat(known == null || known == assigned[row])
                            .as("rows of %s", key)
                            .isTrue();
                }
            }
        });
    }

    @Test
    void rowsThatLackAColumnGoWhereThoseWithNullGo() {
        RandomCase.check("RowPartitioner", 80, 60, each -> {
            List<Field> fields = new ArrayList<>();
            List<List<Object>> columns = new ArrayList<>();
            for (int i = 2 + each.random().nextInt(2); i > 0; i--) {
                DataType type = each.oneOf(RandomValues.types());
                fields.add(new Field("k" + i, type));
                columns.add(each.values(type, each.rows()));
            }
            each.about(each.rows() + " rows of " + fields);
            ShufflePartitioner partitioner = new RowPartitioner(PARTITIONS);
            List<Object> nulls = new ArrayList<>();
            columns.getFirst().forEach(_ -> nulls.add(null));
            List<List<Object>> lacking = new ArrayList<>(columns);
            lacking.set(0, nulls);
            try (Block block = each.block(fields, lacking)) {
                int[] assigned = assigned(each, partitioner, block, 0);
                assertThat(inPieces(each, partitioner, block)).isEqualTo(assigned);
                try (Block turned = each.block(fields.reversed(), lacking.reversed());
                        Block fewer =
                                each.block(fields.subList(1, fields.size()), lacking.subList(1, lacking.size()))) {
                    assertThat(assigned(each, partitioner, turned, 0)).isEqualTo(assigned);
                    assertThat(assigned(each, partitioner, fewer, 0)).isEqualTo(assigned);
                }
            }
        });
    }

    @Test
    void chanceGoesByTheNumberOfTheRowAndTheSeed() {
        RandomCase.check("RandomPartitioner", 30, 2000, each -> {
            List<Object> values = each.values(DataType.INT8, each.rows());
            try (Block block = each.block(List.of(new Field("v", DataType.INT8)), List.of(values))) {
                ShufflePartitioner partitioner = new RandomPartitioner(5, PARTITIONS);
                int[] assigned = assigned(each, partitioner, block, 0);
                assertThat(inPieces(each, partitioner, block)).isEqualTo(assigned);
                if (each.rows() > 200) {
                    assertThat(assigned(each, new RandomPartitioner(6, PARTITIONS), block, 0))
                            .isNotEqualTo(assigned);
                    evenly(assigned);
                }
            }
        });
    }

    @Test
    void differentKeysAreSharedOutEvenly() {
        RandomCase.check("HashPartitioner of many keys", 1, 1, each -> {
            long[] keys = new long[7000];
            Arrays.setAll(keys, i -> i);
            Column column = Columns.ofLongs(each.allocator(), keys);
            try (Block block = Block.of(Schema.of("k", DataType.INT64), List.of(column), keys.length)) {
                evenly(assigned(each, new HashPartitioner(List.of("k"), PARTITIONS), block, 0));
            }
        });
    }

    private static void evenly(int[] assigned) {
        int[] counts = new int[PARTITIONS];
        Arrays.stream(assigned).forEach(partition -> counts[partition]++);
        int fair = assigned.length / PARTITIONS;
        assertThat(Arrays.stream(counts)).allMatch(count -> count > fair / 3 && count < 3 * fair);
    }
}

package dev.millrace.internal.kernel.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopRowsTest {
    private final long seed = Seeds.seed();

    /// So many rows that the best of those collected are chosen several times.
    @Test
    void theyAreTheFirstOfTheWholeOrder() {
        for (int number = 0; number < 12; number++) {
            Random random = new Random(seed + number);
            int rows = 30_000 + random.nextInt(30_000);
            int different = random.nextBoolean() ? 50 : 1_000_000;
            boolean rising = random.nextBoolean();
            List<Object> numbers = new ArrayList<>();
            for (int row = 0; row < rows; row++) {
                // Rows that get better and better are the worst case: each of them is collected.
                numbers.add(random.nextInt(20) == 0 ? null : rising ? -row / 3 : random.nextInt(different));
            }
            List<SortKey> order = List.of(new SortKey("a", random.nextInt(4) == 0));
            int wanted = List.of(0, 1, 10, 3000, 4500).get(random.nextInt(5));
            try (Allocator allocator = Allocator.root("test", 1 << 30)) {
                List<Column> columns = List.of(
                        Columns.of(allocator, DataType.INT32, numbers),
                        Columns.of(
                                allocator,
                                DataType.INT32,
                                IntStream.range(0, rows).boxed().toList()));
                Schema schema = Schema.of("a", DataType.INT32, "id", DataType.INT32);
                try (Block block = Block.of(schema, columns, rows);
                        RowOrder sorted = RowOrder.of(allocator, block, order);
                        Block top = TopRows.of(allocator, block, order, wanted)) {
                    int[] first = new int[wanted];
                    sorted.copy(0, wanted, first);
                    try (Block expected = Blocks.take(allocator, block, first, wanted)) {
                        assertThat(ids(top))
                                .as("seed %d, case %d, %d of %d", seed, number, wanted, rows)
                                .isEqualTo(ids(expected));
                    }
                }
                assertThat(allocator.heldBytes()).isZero();
            }
        }
    }

    private static List<Object> ids(Block block) {
        List<Object> ids = new ArrayList<>();
        for (long row = 0; row < block.rows(); row++) {
            ids.add(block.column("id").value(row));
        }
        return ids;
    }
}

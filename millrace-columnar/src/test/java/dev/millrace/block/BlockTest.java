package dev.millrace.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.RandomValues;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BlockTest {
    private static final Schema SCHEMA = Schema.of("id", DataType.INT64, "name", DataType.UTF8);

    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    private Block block(Object[]... rows) {
        try (BlockBuilder builder = new BlockBuilder(memory.allocator(), SCHEMA, rows.length)) {
            for (Object[] row : rows) {
                builder.append(row);
            }
            return builder.build();
        }
    }

    @Test
    void rowsBecomeColumns() {
        Block block = block(new Object[] {1, "a"}, new Object[] {null, null});
        assertThat(block.rows()).isEqualTo(2);
        assertThat(RandomValues.valuesOf(block.column("id"))).containsExactly(1L, null);
        assertThat(block.sizeBytes()).isEqualTo(16 + 1 + 12 + 1 + 1);
        assertThat(BlockMetadata.of(block).rows()).isEqualTo(2);
        block.close();
    }

    @Test
    void aValueThatDoesNotFitNamesItsColumn() {
        assertThatThrownBy(() -> block(new Object[] {1, "a"}, new Object[] {"two", "b"}))
                .hasMessage("Column 'id': The value 'two' (String) does not fit a column of type int64,"
                        + " which takes an integer.");
        assertThatThrownBy(() -> block(new Object[] {1}))
                .hasMessage("A row of 1 values does not fit the columns [id, name].");
    }

    @Test
    void columnsOfUnequalLengthAreRefused() {
        try (BlockBuilder builder = new BlockBuilder(memory.allocator(), SCHEMA, 0)) {
            ((LongBuilder) builder.column(0)).append(1L);
            assertThatThrownBy(builder::build).hasMessageContaining("Column 'name' has 0 values and column 'id' has 1");
        }
    }

    @Test
    void slicesHoldTheMemoryOfTheirBlock() {
        Block block = block(new Object[] {1, "a"}, new Object[] {2, "b"}, new Object[] {3, "c"});
        Block slice = block.slice(1, 2);
        block.close();
        assertThat(slice.column("name").value(1)).isEqualTo("c");
        assertThatThrownBy(block::close).hasMessageContaining("closed before");
        slice.close();
    }

    @Test
    void rowsAreTakenWidenedAndConcatenated() {
        Allocator allocator = memory.allocator();
        Block block = block(new Object[] {1, "a"}, new Object[] {2, "b"}, new Object[] {3, "c"});
        Block taken = Blocks.take(allocator, block, new int[] {2, 0}, 2);
        Block selected = Blocks.take(allocator, block, SelectionVector.of(new int[] {0, 2}, 2));
        Block widened = Blocks.widen(allocator, taken, Schema.of("name", DataType.UTF8, "score", DataType.FLOAT32));
        Block all = Blocks.concatenate(allocator, List.of(taken, selected, widened));
        assertThat(all.schema().names()).containsExactly("id", "name", "score");
        assertThat(RandomValues.valuesOf(all.column("id"))).containsExactly(3L, 1L, 1L, 3L, null, null);
        assertThat(RandomValues.valuesOf(all.column("name"))).containsExactly("c", "a", "a", "c", "c", "a");
        List.of(block, taken, selected, widened, all).forEach(Block::close);
    }

    @Test
    void aBlockMayHaveRowsWithoutColumns() {
        try (BlockBuilder builder = new BlockBuilder(memory.allocator(), Schema.empty(), 0)) {
            builder.append();
            builder.append();
            Block block = builder.build();
            assertThat(block.rows()).isEqualTo(2);
            block.close();
        }
        Blocks.empty(SCHEMA).close();
    }

    @Test
    void transferMovesEveryColumnToTheOtherAccount() {
        Allocator run = memory.allocator().child("run");
        Allocator kept = memory.allocator().child("kept");
        Column column = Columns.ofStrings(run, "a", null);
        Block block = Block.of(Schema.of("s", DataType.UTF8), List.of(column), 2);
        block.transferTo(kept);
        run.close();
        assertThat(kept.heldBytes()).isEqualTo(block.heldBytes());
        block.close();
        kept.close();
    }
}

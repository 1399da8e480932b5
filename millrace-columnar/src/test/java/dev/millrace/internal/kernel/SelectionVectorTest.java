package dev.millrace.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.RandomValues;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.type.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SelectionVectorTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @Test
    void nullIsNotSelected() {
        BooleanColumn condition =
                (BooleanColumn) Columns.of(memory.allocator(), DataType.BOOL, Arrays.asList(true, null, false, true));
        SelectionVector selection = SelectionVector.where(condition);
        assertThat(Arrays.copyOf(selection.positions(), selection.count())).containsExactly(0, 3);
        assertThat(selection.isRun()).isFalse();
        condition.release();
    }

    @Test
    void allIsKnownWithoutPositions() {
        LongColumn column = Columns.ofLongs(memory.allocator(), 1, 2, 3);
        assertThat(SelectionVector.where(column, value -> value > 0).isAll()).isTrue();
        assertThat(SelectionVector.where(column, value -> value > 9).isEmpty()).isTrue();
        assertThat(SelectionVector.where(column, value -> value > 1).isRun()).isTrue();
        column.release();
    }

    @Test
    void selectionsChainAndAreLimited() {
        SelectionVector outer = SelectionVector.of(new int[] {2, 4, 6, 8}, 4);
        SelectionVector both = outer.then(SelectionVector.of(new int[] {1, 3}, 2));
        assertThat(both.positions()).containsExactly(4, 8);
        assertThat(outer.then(SelectionVector.all(4))).isSameAs(outer);
        assertThat(outer.limit(1).count()).isEqualTo(1);
        assertThat(SelectionVector.all(10).limit(3).isAll()).isTrue();
    }

    @Test
    void concatenatedDictionariesAreMerged() {
        Allocator allocator = memory.allocator();
        DataType type = DataType.dictionary(DataType.UTF8);
        Column a = Columns.of(allocator, type, Arrays.asList("x", "y", null));
        Column b = Columns.of(allocator, type, List.of("z", "y", "y"));
        DictionaryColumn both = (DictionaryColumn) ConcatenateKernel.columns(allocator, List.of(a, b));
        assertThat(RandomValues.valuesOf(both)).containsExactly("x", "y", null, "z", "y", "y");
        assertThat(both.dictionary().length()).isEqualTo(3);
        DictionaryColumn halves =
                (DictionaryColumn) ConcatenateKernel.columns(allocator, List.of(a.slice(0, 1), a.slice(1, 2)));
        assertThat(halves.dictionary()).isSameAs(((DictionaryColumn) a).dictionary());
        List.of(a, b, both, halves).forEach(Column::release);
    }

    @Test
    void aKernelThatRunsOutOfMemoryLeavesNothingBehind() {
        Allocator roomy = memory.allocator();
        RandomValues values = new RandomValues(new Random(5));
        for (DataType type : RandomValues.types()) {
            Column column = Columns.of(roomy, type, values.values(type, 300, true));
            int[] positions = new Random(1).ints(200, 0, 300).toArray();
            for (long limit = 512; limit < 32 << 10; limit += 512) {
                Allocator tight = roomy.child("tight", limit);
                attempt(() -> GatherKernel.take(tight, column, positions, 200));
                attempt(() -> ConcatenateKernel.columns(tight, List.of(column, column)));
                attempt(() -> CompactKernel.column(tight, column));
                assertThat(tight.heldBytes()).as(type.toString()).isZero();
                tight.close();
            }
            column.release();
        }
    }

    private interface Kernel {
        Column run();
    }

    private static void attempt(Kernel kernel) {
        try {
            kernel.run().release();
        } catch (MillraceException e) {
            assertThat(e).hasMessageContaining("tight");
        }
    }
}

package dev.millrace.internal.kernel.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.column.Columns;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Positions of groups are on the Java heap, and count as memory all the same.
class RowGroupsTest {
    private static final int ROWS = 100_000;

    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @Test
    void positionsCountAsMemoryUntilTheyAreClosed() {
        try (Block rows = rows(memory.allocator())) {
            long before = memory.allocator().heldBytes();
            try (RowGroups groups = RowGroups.of(memory.allocator(), rows, List.of("k"))) {
                assertThat(groups.groups()).isEqualTo(ROWS / 2);
                assertThat(groups.rowsOf(7)).containsExactly(14, 15);
                assertThat(memory.allocator().heldBytes() - before).isEqualTo(4L * ROWS + 4L * (ROWS / 2 + 1));
            }
            assertThat(memory.allocator().heldBytes()).isEqualTo(before);
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        try (Block rows = rows(memory.allocator());
                Allocator small = memory.allocator().child("small", 3L * ROWS)) {
            assertThatThrownBy(() -> RowGroups.of(small, rows, List.of("k")))
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            refused -> assertThat(refused.culprit()).isEqualTo(Culprit.RESOURCES));
            assertThat(small.heldBytes()).isZero();
        }
    }

    private static Block rows(Allocator allocator) {
        return Block.of(
                Schema.of("k", DataType.INT64, "v", DataType.INT64),
                List.of(
                        Columns.ofLongs(
                                allocator,
                                LongStream.range(0, ROWS).map(i -> i / 2 * 1000).toArray()),
                        Columns.ofLongs(allocator, LongStream.range(0, ROWS).toArray())),
                ROWS);
    }
}

package dev.millrace.internal.consume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.LongBlocks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ShuffleBufferTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    /// Draws batches of `batch` from blocks of `blockRows` rows until all are drawn.
    private List<Long> drawn(long size, long seed, int rows, int blockRows, int batch) {
        List<Long> all = new ArrayList<>();
        try (ShuffleBuffer buffer = new ShuffleBuffer(memory.allocator(), size, seed)) {
            int next = 0;
            while (true) {
                while (buffer.wantsMore(batch) && next < rows) {
                    int count = Math.min(blockRows, rows - next);
                    buffer.add(LongBlocks.range(memory.allocator(), next, count));
                    next += count;
                }
                if (next == rows) {
                    buffer.end();
                }
                if (buffer.rows() == 0) {
                    return all;
                }
                try (Block block =
                        buffer.draw((int) Math.min(batch, buffer.rows())).make()) {
                    for (long i = 0; i < block.rows(); i++) {
                        all.add((Long) block.column(0).value(i));
                    }
                }
            }
        }
    }

    @Test
    void everyRowIsDrawnOnceAndNotInOrder() {
        for (int[] shape : new int[][] {{100, 1000, 7, 10}, {1, 50, 50, 3}, {500, 100, 9, 100}, {10, 1000, 200, 64}}) {
            List<Long> rows = drawn(shape[0], 1, shape[1], shape[2], shape[3]);
            assertThat(rows)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, shape[1]).boxed().toList());
            assertThat(rows).isNotEqualTo(rows.stream().sorted().toList());
        }
    }

    @Test
    void theSameSeedDrawsTheSameRows() {
        assertThat(drawn(100, 5, 1000, 30, 16)).isEqualTo(drawn(100, 5, 1000, 30, 16));
        assertThat(drawn(100, 5, 1000, 30, 16)).isNotEqualTo(drawn(100, 6, 1000, 30, 16));
    }

    @Test
    void aRowIsDrawnNoEarlierThanTheBufferHasIt() {
        List<Long> rows = drawn(100, 3, 1000, 10, 10);
        // The buffer holds at most half as much again as its size, a batch and a block.
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i)).isLessThan(i + 100 + 50 + 10 + 10 + 10);
        }
    }

    @Test
    void moreIsWantedUntilTheBufferIsFullAndNotAfterTheEnd() {
        try (ShuffleBuffer buffer = new ShuffleBuffer(memory.allocator(), 100, 1)) {
            assertThat(buffer.wantsMore(10)).isTrue();
            buffer.add(LongBlocks.range(memory.allocator(), 0, 110));
            assertThat(buffer.wantsMore(10)).isTrue();
            buffer.add(LongBlocks.range(memory.allocator(), 110, 90));
            assertThat(buffer.wantsMore(10)).isFalse();
            assertThat(buffer.rows()).isEqualTo(200);
        }
        try (ShuffleBuffer buffer = new ShuffleBuffer(memory.allocator(), 100, 1)) {
            buffer.end();
            assertThat(buffer.wantsMore(10)).isFalse();
        }
    }
}

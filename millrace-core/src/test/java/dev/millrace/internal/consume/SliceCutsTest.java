package dev.millrace.internal.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.BlockMetadata;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.testing.Seeds;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SliceCutsTest {
    private int living;
    private final List<BlockSlice> slices = new ArrayList<>();

    private final class Counted extends BlockRef {
        Counted(long rows) {
            super(new BlockMetadata(rows, rows * 8, Schema.empty(), List.of()));
            living++;
        }

        @Override
        protected void free() {
            living--;
        }
    }

    private List<BlockSlice> blocks(long... rows) {
        for (long count : rows) {
            slices.add(BlockSlice.whole(new Counted(count)));
        }
        return slices;
    }

    /// "0:2-5" is rows 2 to 4 of the first block. Releases the parts.
    private List<String> told(List<List<BlockSlice>> parts) {
        return parts.stream().map(this::text).toList();
    }

    private String text(List<BlockSlice> part) {
        List<String> pieces = new ArrayList<>();
        for (BlockSlice piece : part) {
            int block = 0;
            while (!slices.get(block).block().equals(piece.block())) {
                block++;
            }
            pieces.add(block + ":" + piece.from() + "-" + (piece.from() + piece.rows()));
            piece.release();
        }
        return String.join(" ", pieces);
    }

    @AfterEach
    void everyPartWasAFurtherHolder() {
        slices.forEach(BlockSlice::release);
        assertThat(living).isZero();
    }

    @Test
    void indicesCutAcrossBlocks() {
        assertThat(told(SliceCuts.at(blocks(4, 3, 3), 2, 5))).containsExactly("0:0-2", "0:2-4 1:0-1", "1:1-3 2:0-3");
    }

    @Test
    void equalIndicesAndThoseBeyondTheEndGiveEmptyParts() {
        assertThat(told(SliceCuts.at(blocks(4), 2, 2, 9))).containsExactly("0:0-2", "", "0:2-4", "");
        assertThat(told(SliceCuts.at(List.of(), 1))).containsExactly("", "");
    }

    @Test
    void equalPartsLeaveTheRestOut() {
        assertThat(told(SliceCuts.equal(blocks(4, 6), 3))).containsExactly("0:0-3", "0:3-4 1:0-2", "1:2-5");
    }

    @Test
    void wholeBlocksAreSharedOutEvenly() {
        assertThat(told(SliceCuts.byBlocks(blocks(1, 2, 3, 4, 5), 2)))
                .containsExactly("0:0-1 1:0-2", "2:0-3 3:0-4 4:0-5");
        slices.forEach(BlockSlice::release);
        slices.clear();
        assertThat(told(SliceCuts.byBlocks(blocks(7), 3))).containsExactly("", "", "0:0-7");
    }

    @Test
    void proportionsAreRoundedDownInSpiteOfBinaryFractions() {
        assertThat(SliceCuts.proportions(10, 0.2, 0.5)).containsExactly(2, 7);
        assertThat(SliceCuts.proportions(10, 0.1, 0.2)).containsExactly(1, 3);
        assertThat(SliceCuts.proportions(10, 0.75)).containsExactly(7);
        for (double[] bad : new double[][] {{}, {0}, {0.5, -0.1}, {0.5, 0.5}, {Double.NaN}}) {
            assertThatThrownBy(() -> SliceCuts.proportions(10, bad))
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("fractions above 0 whose sum is below 1");
        }
    }

    @Test
    void indicesAscend() {
        assertThat(SliceCuts.checkIndices(0, 0, 3)).containsExactly(0, 0, 3);
        assertThatThrownBy(() -> SliceCuts.checkIndices(3, 2)).hasMessageContaining("that ascend, not [3, 2]");
        assertThatThrownBy(() -> SliceCuts.checkIndices(-1)).hasMessageContaining("0 or more");
    }

    @Test
    void cutsLoseAndDoubleNothing() {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            long rows = 0;
            for (int b = random.nextInt(6); b > 0; b--) {
                blocks(random.nextInt(5));
                rows += slices.getLast().rows();
            }
            long[] indices =
                    random.longs(random.nextInt(5), 0, rows + 3).sorted().toArray();
            List<List<BlockSlice>> parts = SliceCuts.at(slices, indices);
            long total = parts.stream()
                    .flatMap(List::stream)
                    .mapToLong(BlockSlice::rows)
                    .sum();
            assertThat(total).as("seed " + seed).isEqualTo(rows);
            told(parts);
            slices.forEach(BlockSlice::release);
            slices.clear();
        }
    }
}

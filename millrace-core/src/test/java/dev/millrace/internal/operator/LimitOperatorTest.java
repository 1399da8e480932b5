package dev.millrace.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.BlockMetadata;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A limit between an operator that pushes and one that takes note.
class LimitOperatorTest {
    private int living;
    private final Pusher before = new Pusher();
    private final Taker behind = new Taker();
    private LimitOperator limit;

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

    private static final class Pusher extends RunningOperator {
        Pusher() {
            super("before");
        }

        @Override
        void inputArrived(BlockChannel input) {}

        @Override
        void inputEnded(BlockChannel input) {}
    }

    private static final class Taker extends RunningOperator {
        private final List<String> taken = new ArrayList<>();
        private boolean ended;
        private double wanted = Double.POSITIVE_INFINITY;

        Taker() {
            super("behind");
        }

        @Override
        void inputArrived(BlockChannel input) {
            BlockSlice slice = input.take();
            taken.add(slice.from() + "-" + (slice.from() + slice.rows()));
            slice.release();
        }

        @Override
        void inputEnded(BlockChannel input) {
            ended = true;
        }

        @Override
        double rowsWanted(BlockChannel input) {
            return wanted;
        }
    }

    private void open(long offset, long rows) {
        limit = new LimitOperator(new PhysicalPlan.Limit("limit", null, offset, rows));
        limit.connect(before);
        behind.connect(limit);
        limit.open();
    }

    private void push(long rows) {
        before.emit(BlockSlice.whole(new Counted(rows)), null, rows * 8, 0);
    }

    @AfterEach
    void everyBlockWasReleased() {
        assertThat(living).isZero();
    }

    @Test
    void theBlockThatFillsItIsCutAndStopsWhatIsBefore() {
        open(0, 15);
        push(10);
        assertThat(before.isStopped()).isFalse();
        push(10);
        assertThat(behind.taken).containsExactly("0-10", "0-5");
        assertThat(before.isStopped()).isTrue();
        assertThat(behind.ended).isTrue();
    }

    @Test
    void anOffsetSkipsWholeBlocksAndTheBeginOfOne() {
        open(13, 4);
        push(10);
        assertThat(behind.taken).isEmpty();
        push(10);
        assertThat(behind.taken).containsExactly("3-7");
        assertThat(behind.ended).isTrue();
    }

    @Test
    void anOffsetAloneLetsTheRestPass() {
        open(3, Long.MAX_VALUE);
        push(2);
        push(2);
        push(5);
        before.finish();
        assertThat(behind.taken).containsExactly("1-2", "0-5");
        assertThat(behind.ended).isTrue();
        assertThat(before.isStopped()).isFalse();
    }

    @Test
    void aLimitOfNothingStopsBeforeItBegins() {
        open(0, 0);
        assertThat(before.isStopped()).isTrue();
        assertThat(behind.ended).isTrue();
    }

    @Test
    void blocksWithoutRowsPassForTheirSchema() {
        open(5, 5);
        push(0);
        assertThat(behind.taken).containsExactly("0-0");
    }

    @Test
    void itWantsWhatIsLeftAndWhatItSkips() {
        open(4, 10);
        assertThat(limit.rowsWanted(limit.input(0))).isEqualTo(14);
        push(6);
        assertThat(limit.rowsWanted(limit.input(0))).isEqualTo(8);
        behind.wanted = 3;
        assertThat(limit.rowsWanted(limit.input(0))).isEqualTo(3);
        limit.stop();
    }

    @Test
    void aShorterInputEndsIt() {
        open(0, 100);
        push(10);
        before.finish();
        assertThat(behind.taken).containsExactly("0-10");
        assertThat(behind.ended).isTrue();
    }
}

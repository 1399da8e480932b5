package dev.millrace.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.BlockMetadata;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The output of a run and several consumers, block by block.
class OutputOperatorTest {
    private static final int PREFETCH = 2;

    private int living;
    private final Allocator account = Allocator.root("consumers", 1 << 20);
    private final List<BlockOutlet> outlets = new ArrayList<>();
    private final Pusher before = new Pusher();
    private OutputOperator output;

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

    private void open(int consumers, boolean equal) {
        for (int i = 0; i < consumers; i++) {
            outlets.add(new BlockOutlet(account, () -> {}));
        }
        output = new OutputOperator(outlets, equal, PREFETCH);
        output.connect(before);
    }

    private void push(long rows) {
        before.emit(BlockSlice.whole(new Counted(rows)), null, rows * 8, 0);
    }

    /// Takes one block, which is there.
    private long take(int consumer) {
        BlockSlice slice = outlets.get(consumer).take();
        slice.release();
        output.demanded();
        return slice.rows();
    }

    private List<Integer> waiting() {
        return outlets.stream().map(BlockOutlet::size).toList();
    }

    @AfterEach
    void everyBlockWasReleased() {
        outlets.forEach(BlockOutlet::close);
        output.stop();
        assertThat(living).isZero();
        account.close();
    }

    @Test
    void consumersThatAllWaitGetTheSameRowsThoughOneBlockComesAtATime() {
        open(3, false);
        long[] rows = new long[3];
        for (int block = 0; block < 30; block++) {
            push(10);
            for (int i = 0; i < 3; i++) {
                while (outlets.get(i).size() > 0) {
                    rows[i] += take(i);
                }
            }
        }
        assertThat(rows).containsExactly(100, 100, 100);
    }

    @Test
    void aLargeBlockIsMadeUpForByTheOthers() {
        open(2, false);
        long[] rows = new long[2];
        for (int size : new int[] {50, 10, 10, 10, 10, 10, 10, 10}) {
            push(size);
            for (int i = 0; i < 2; i++) {
                while (outlets.get(i).size() > 0) {
                    rows[i] += take(i);
                }
            }
        }
        assertThat(rows).containsExactly(60, 60);
    }

    @Test
    void aConsumerThatTakesNothingDoesNotHoldTheOthersUp() {
        open(2, false);
        for (int block = 0; block < 10; block++) {
            push(10);
            while (outlets.get(1).size() > 0) {
                take(1);
            }
        }
        assertThat(waiting()).containsExactly(1, 0);
        assertThat(output.rows()).isEqualTo(100);
        for (int block = 0; block < 4; block++) {
            push(10);
        }
        assertThat(waiting()).containsExactly(PREFETCH, PREFETCH);
        assertThat(output.rows()).isEqualTo(130);
    }

    @Test
    void aConsumerThatHasNoneReadyIsServedFirstAndThenTheOneWithTheFewestRows() {
        open(2, false);
        push(100);
        assertThat(take(0)).isEqualTo(100);
        push(10);
        assertThat(waiting()).containsExactly(0, 1);
        push(10);
        assertThat(waiting()).containsExactly(1, 1);
        push(10);
        assertThat(waiting()).containsExactly(1, 2);
    }

    @Test
    void closedConsumersGetNothingWhileOthersAreOpen() {
        open(2, false);
        outlets.get(0).close();
        push(10);
        push(10);
        assertThat(waiting()).containsExactly(0, 2);
    }

    @Test
    void equalSharesWaitForEnoughRowsAndDropTheRest() {
        open(3, true);
        push(4);
        assertThat(waiting()).containsExactly(0, 0, 0);
        push(4);
        push(2);
        before.finish();
        for (int i = 0; i < 3; i++) {
            long rows = 0;
            while (outlets.get(i).size() > 0) {
                rows += take(i);
            }
            assertThat(rows).isEqualTo(3);
        }
        assertThat(output.rows()).isEqualTo(9);
    }

    @Test
    void equalSharesGetWholeBlocksInTurnAlsoIfTheInputEndsBeforeTheyAreRead() {
        open(2, true);
        for (int block = 0; block < 8; block++) {
            push(10);
        }
        before.finish();
        assertThat(waiting()).as("the rest waits for room").containsExactly(PREFETCH, PREFETCH);
        long[] rows = new long[2];
        for (int block = 0; block < 4; block++) {
            for (int i = 0; i < 2; i++) {
                rows[i] += take(i);
            }
        }
        assertThat(rows).containsExactly(40, 40);
        assertThat(waiting()).containsExactly(0, 0);
    }
}

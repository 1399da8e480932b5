package dev.millrace.internal.operator;

import dev.millrace.error.MillraceException;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The last operator: passes blocks to one consumer, or distributes them over several: to a consumer that has none
/// queued, else to one with room, of several to the one with the fewest rows so far; or equally, where each gets the
/// same number of rows and a remainder smaller than the number of consumers is dropped. At most `prefetch` finished
/// blocks are queued for a consumer.
public final class OutputOperator extends RunningOperator {
    /// A block at a consumer, and what is returned when it is taken; `producer` is null for all parts of a block except
    /// one.
    private record DeliveredBlock(@Nullable TaskRun producer, long bytes, boolean credited) {}

    /// One consumer as the loop sees it.
    private static final class Consumer {
        final BlockOutlet outlet;
        final ArrayDeque<DeliveredBlock> handed = new ArrayDeque<>();
        long acknowledged;
        long rows;

        Consumer(BlockOutlet outlet) {
            this.outlet = outlet;
        }
    }

    private final List<Consumer> consumers;
    private final boolean equal;
    private final int prefetch;
    private boolean asked;
    private long rows;
    private long bytes;

    OutputOperator(List<BlockOutlet> outlets, boolean equal, int prefetch) {
        super("output");
        this.consumers = outlets.stream().map(Consumer::new).toList();
        this.equal = equal && outlets.size() > 1;
        this.prefetch = prefetch;
    }

    /// True once a consumer has requested a block.
    public boolean isAsked() {
        return asked;
    }

    /// The number of blocks that are finished but not taken.
    public int waitingBlocks() {
        int waiting = input(0).size();
        for (Consumer consumer : consumers) {
            waiting += consumer.handed.size();
        }
        return waiting;
    }

    /// The number of blocks that may be queued at all consumers together.
    public int room() {
        return prefetch * consumers.size();
    }

    /// True when one more block can be used now. With equal distribution, blocks that are kept for balancing do not
    /// count: they cannot be passed on before more arrive.
    public boolean wantsMore() {
        if (equal && !input(0).isEmpty() && nextConsumer(input(0)) == null) {
            return waitingBlocks() - input(0).size() < room();
        }
        return waitingBlocks() < room();
    }

    @Override
    public boolean needsMore(BlockChannel input) {
        return equal && !input.isEmpty() && nextConsumer(input) == null;
    }

    /// True when a consumer waits and there is no block for it.
    public boolean isConsumerWaiting() {
        for (Consumer consumer : consumers) {
            if (consumer.outlet.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /// Of several consumers, those that do not take their finished blocks, as text; empty if there are none.
    public String unread() {
        List<String> names = new ArrayList<>();
        for (int i = 0; consumers.size() > 1 && i < consumers.size(); i++) {
            Consumer consumer = consumers.get(i);
            int ready = consumer.outlet.size();
            if (ready > 0 && !consumer.outlet.isClosed()) {
                names.add("shard " + i + " does not take the " + ready + " blocks that are ready for it");
            }
        }
        return String.join(", ", names);
    }

    /// True when every consumer has closed its outlet.
    public boolean isAbandoned() {
        for (Consumer consumer : consumers) {
            if (!consumer.outlet.isClosed()) {
                return false;
            }
        }
        return true;
    }

    public long rows() {
        return rows;
    }

    public long bytes() {
        return bytes;
    }

    /// Consumers requested or took blocks: returns credit for them and passes more on.
    public void demanded() {
        for (Consumer consumer : consumers) {
            asked |= consumer.outlet.isAsked();
            acknowledge(consumer);
        }
        advance();
    }

    private static void acknowledge(Consumer consumer) {
        long taken = consumer.outlet.taken();
        for (; consumer.acknowledged < taken && !consumer.handed.isEmpty(); consumer.acknowledged++) {
            DeliveredBlock handed = consumer.handed.poll();
            if (handed.producer != null) {
                handed.producer.left(handed.bytes);
                if (!handed.credited) {
                    handed.producer.credit();
                }
            }
        }
    }

    @Override
    void inputArrived(BlockChannel input) {
        advance();
    }

    @Override
    void inputEnded(BlockChannel input) {
        advance();
    }

    private void advance() {
        if (isStopped() || isFinished()) {
            return;
        }
        BlockChannel input = input(0);
        Consumer next;
        while (!input.isEmpty() && (next = nextConsumer(input)) != null) {
            if (next.outlet.size() >= prefetch && !next.outlet.isClosed()) {
                break;
            }
            hand(next, input, input.peek().rows());
        }
        if (equal && needsMore(input)) {
            input.credit();
        }
        // Whole blocks wait for room also at the end: what a shard gets does not depend on how fast it reads.
        if (input.isEnded() && (input.isEmpty() || needsMore(input))) {
            if (equal) {
                shareRest(input);
            }
            finish();
            consumers.forEach(consumer -> consumer.outlet.end());
        }
    }

    /// The consumer of the first block: see [#isFreer]. With equal distribution the one with the fewest rows so far;
    /// null if the rest would not be enough to bring the others up to it.
    private @Nullable Consumer nextConsumer(BlockChannel input) {
        Consumer best = consumers.getFirst();
        long most = 0;
        long sum = 0;
        for (Consumer consumer : consumers) {
            most = Math.max(most, consumer.rows);
            sum += consumer.rows;
            if (equal ? consumer.rows < best.rows : isFreer(consumer, best)) {
                best = consumer;
            }
        }
        if (!equal) {
            return best;
        }
        long block = input.peek().rows();
        long afterwards = Math.max(most, best.rows + block);
        long lacking = afterwards * consumers.size() - (sum + block);
        return input.rows() - block >= lacking ? best : null;
    }

    /// Readers that wait come first, so that none is idle; those that keep up with each other get about the same number
    /// of rows.
    private boolean isFreer(Consumer consumer, Consumer than) {
        int busy = busyness(consumer);
        int other = busyness(than);
        return busy == other ? consumer.rows < than.rows : busy < other;
    }

    /// 0: no block is queued; 1: there is room for another; 2: there is none; 3: closed.
    private int busyness(Consumer consumer) {
        int queued = consumer.outlet.size();
        return consumer.outlet.isClosed() ? 3 : queued == 0 ? 0 : queued < prefetch ? 1 : 2;
    }

    private void hand(Consumer consumer, BlockChannel input, long count) {
        boolean whole = count >= input.peek().rows();
        TaskRun producer = whole ? input.producer() : null;
        long counted = input.bytes();
        boolean credited = input.isCredited();
        BlockSlice slice = whole ? input.poll() : input.takeRows(count);
        rows += slice.rows();
        bytes += slice.sizeBytes();
        consumer.rows += slice.rows();
        consumer.handed.add(new DeliveredBlock(producer, counted, credited));
        consumer.outlet.offer(slice);
    }

    /// The end of an equal distribution: brings all consumers to the same number of rows, in slices, and drops the
    /// rest.
    private void shareRest(BlockChannel input) {
        long sum = input.rows();
        for (Consumer consumer : consumers) {
            sum += consumer.rows;
        }
        long each = sum / consumers.size();
        for (Consumer consumer : consumers) {
            while (consumer.rows < each) {
                hand(
                        consumer,
                        input,
                        Math.min(each - consumer.rows, input.peek().rows()));
            }
        }
        input.clear();
    }

    /// Ends the run for its consumers.
    public void fail(MillraceException cause) {
        consumers.forEach(consumer -> consumer.outlet.fail(cause));
        stop();
        demanded();
    }

    @Override
    void maySpill() {
        super.maySpill();
        consumers.forEach(consumer -> consumer.outlet.maySpill());
    }

    @Override
    void onStop() {
        consumers.forEach(consumer -> consumer.outlet.close());
    }
}

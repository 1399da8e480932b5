package dev.millrace.internal.operator;

import dev.millrace.internal.exchange.MixOrder;
import dev.millrace.internal.exchange.MixReducer;
import dev.millrace.internal.exchange.ReduceLayout;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.MixStop;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;

/// Mixes the rows of its inputs by weights, as they arrive: each task gets the rows of a stretch of the mix, up to the
/// first row that has not arrived yet. A stretch waits until it uses up a block of the input that is behind. Needs its
/// inputs in order.
final class MixOperator extends AlignedOperator {
    /// A task numbers its rows with 32 bits.
    private static final double MAX_ROWS = 1 << 24;

    private final PhysicalPlan.Mix plan;
    private final ProgramFactory programs;
    private final MixOrder mix;
    /// Rows of each input that tasks have received.
    private final long[] taken;

    private boolean over;
    private boolean making;

    MixOperator(PhysicalPlan.Mix plan, OperatorHost host, ProgramFactory programs, Allocator account) {
        super(plan, host, plan.resources(), account, plan.targetBytes());
        this.plan = plan;
        this.programs = programs;
        this.mix = new MixOrder(
                plan.weights().stream().mapToDouble(weight -> weight).toArray());
        this.taken = new long[mix.inputs()];
    }

    @Override
    void inputArrived(BlockChannel input) {
        settle();
    }

    @Override
    void inputEnded(BlockChannel input) {
        settle();
        // Inputs that are stopped while a task is created end immediately, but that task still has to run.
        if (!making) {
            super.inputEnded(input);
        }
    }

    /// Releases blocks without rows; returns credit for the input that all others wait for, so that its producers are
    /// not blocked; and stops the other inputs if no further row may follow.
    private void settle() {
        if (isStopped() || over) {
            return;
        }
        dropEmptyBlocks();
        int behind = behind();
        if (behind < 0) {
            return;
        }
        BlockChannel scarce = input(behind);
        if (!scarce.isEnded()) {
            if (!inputReady()) {
                scarce.credit();
            }
        } else if (total(available()) == 0) {
            over = true;
            for (BlockChannel input : inputs()) {
                input.from().stop();
                input.clear();
            }
        }
    }

    /// True if nothing can follow the queued rows of an input.
    private boolean limits(BlockChannel input) {
        return !input.isEnded() || plan.stop() == MixStop.FIRST_EXHAUSTED;
    }

    /// The input whose next row, after the queued ones, comes first in the mix; -1 if all rows have arrived.
    private int behind() {
        int behind = -1;
        double first = Double.POSITIVE_INFINITY;
        for (int i = 0; i < taken.length; i++) {
            if (limits(input(i))) {
                double time = mix.time(i, taken[i] + input(i).rows());
                if (behind < 0 || time < first) {
                    behind = i;
                    first = time;
                }
            }
        }
        return behind;
    }

    /// Rows of each input before the first one that has not arrived.
    private long[] available() {
        int behind = behind();
        long[] rows = new long[taken.length];
        for (int i = 0; i < rows.length; i++) {
            long waiting = input(i).rows();
            rows[i] = behind < 0 || i == behind
                    ? waiting
                    : mix.before(
                                    i,
                                    taken[i],
                                    behind,
                                    taken[behind] + input(behind).rows())
                            - taken[i];
            rows[i] = Math.min(rows[i], waiting);
        }
        return rows;
    }

    /// The same, but no more than a task should have, and at least one row.
    private long[] forTask() {
        long[] rows = available();
        long bytes = 0;
        double weights = 0;
        double first = Double.POSITIVE_INFINITY;
        for (int i = 0; i < rows.length; i++) {
            BlockChannel input = input(i);
            if (rows[i] > 0) {
                bytes += (long) ((double) input.sizeBytes() / input.rows() * rows[i]);
                weights += plan.weights().get(i);
                first = Math.min(first, mix.time(i, taken[i]));
            }
        }
        long all = total(rows);
        double most = Math.max(1, Math.min(all * (double) plan.targetBytes() / Math.max(1, bytes), MAX_ROWS));
        if (all <= most) {
            return rows;
        }
        double until = first + most / weights;
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Math.min(rows[i], mix.before(i, taken[i], until, true) - taken[i]);
        }
        return rows;
    }

    private static long total(long[] rows) {
        long total = 0;
        for (long count : rows) {
            total += count;
        }
        return total;
    }

    @Override
    public boolean inputReady() {
        if (over) {
            return false;
        }
        int behind = behind();
        boolean enough = behind < 0 || input(behind).isEnded() || !input(behind).isEmpty();
        return enough && total(available()) > 0;
    }

    @Override
    boolean inputExhausted() {
        return over || inputs().stream().allMatch(BlockChannel::isExhausted);
    }

    @Override
    public boolean needsMore(BlockChannel input) {
        return input.isEmpty() || !inputReady() && behind() == inputs().indexOf(input);
    }

    @Override
    TaskRun takeInput() {
        long[] rows = forTask();
        long[] first = taken.clone();
        List<BlockSlice> slices = new ArrayList<>();
        List<List<ReduceLayout.Run>> sides = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < rows.length; i++) {
            int from = slices.size();
            bytes += take(input(i), rows[i], slices);
            taken[i] += rows[i];
            sides.add(
                    slices.size() == from
                            ? List.of()
                            : List.of(new ReduceLayout.Run(from, slices.size() - from, rows[i], null)));
        }
        making = true;
        settle();
        making = false;
        ReduceLayout layout = new ReduceLayout(0, 1, sides, null, plan.targetBytes(), plan.targetBytes());
        return new TaskRun(
                this,
                programs.reduce(new MixReducer(mix, first), layout, null, plan.verb()),
                slices,
                total(rows),
                bytes);
    }

    @Override
    String site() {
        return plan.site();
    }
}

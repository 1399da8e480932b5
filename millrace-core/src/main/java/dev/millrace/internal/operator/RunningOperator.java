package dev.millrace.internal.operator;

import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A running operator. Input arrives through channels; output goes into one channel, except for the last operator.
/// Operators without tasks (limit, union, output) pass blocks on as soon as they arrive; those that run tasks wait for
/// the scheduler. Loop thread only.
public abstract class RunningOperator {
    private final String name;
    private final List<BlockChannel> inputs = new ArrayList<>();
    private @Nullable BlockChannel output;
    private boolean stopped;
    private boolean finished;

    protected RunningOperator(String name) {
        this.name = name;
    }

    /// Creates the channel from `upstream` to this operator.
    final BlockChannel connect(RunningOperator upstream) {
        BlockChannel channel = new BlockChannel(upstream, this);
        upstream.output = channel;
        inputs.add(channel);
        return channel;
    }

    public final String name() {
        return name;
    }

    public final List<BlockChannel> inputs() {
        return inputs;
    }

    final BlockChannel input(int index) {
        return inputs.get(index);
    }

    /// The output channel; null for the last operator.
    public final @Nullable BlockChannel output() {
        return output;
    }

    /// The same, of an operator that is not the last.
    public final BlockChannel requireOutput() {
        return Objects.requireNonNull(output, "all operators but the last have an output");
    }

    /// True when all output has been passed on, or no more of it is wanted.
    public final boolean isFinished() {
        return finished;
    }

    /// True when no more output is wanted; tasks may still be ending.
    public final boolean isStopped() {
        return stopped;
    }

    /// Called once, before anything else, when the run begins.
    void open() {}

    /// A block was pushed into this input.
    abstract void inputArrived(BlockChannel input);

    /// Nothing more will be pushed into this input.
    abstract void inputEnded(BlockChannel input);

    /// How many more rows of this input can be used; infinite unless a limit follows. An estimate.
    double rowsWanted(BlockChannel input) {
        return Double.POSITIVE_INFINITY;
    }

    /// True when the queued blocks of `input` are not enough to continue, e.g. an incomplete bundle.
    public boolean needsMore(BlockChannel input) {
        return input.isEmpty();
    }

    /// No more output is wanted: frees what is queued here and stops everything upstream.
    public final void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        onStop();
        for (BlockChannel input : inputs) {
            input.from().stop();
            input.clear();
        }
        if (output != null) {
            output.clear();
        }
        finish();
    }

    /// Allows the blocks queued here to be spilled.
    void maySpill() {
        inputs.forEach(BlockChannel::maySpill);
    }

    /// Frees what the operator itself holds, when it is stopped.
    void onStop() {}

    final void emit(BlockSlice slice, @Nullable TaskRun producer, long countedBytes, long now) {
        BlockChannel output = requireOutput();
        output.push(slice, producer, countedBytes, now);
        output.to().inputArrived(output);
    }

    final void finish() {
        if (finished) {
            return;
        }
        finished = true;
        if (output != null) {
            output.end();
            output.to().inputEnded(output);
        }
    }
}

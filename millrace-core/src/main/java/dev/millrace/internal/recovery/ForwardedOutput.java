package dev.millrace.internal.recovery;

import dev.millrace.block.BlockMetadata;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskSpec;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a [ForwardedTask] sends to the engine: its blocks, each with its place in the task's recipe, within the
/// engine's credit, then the pause or the end. Guarded by the monitor of its task, under which events are sent.
final class ForwardedOutput {
    private final RecoveringRuntime runtime;
    private final TaskSpec spec;
    private final TaskRecipe recipe;
    private final Consumer<TaskEvent> events;
    /// Blocks that the engine allows, and has not got yet.
    private int credit;
    /// Blocks beyond the engine's credit, of a call that was let pass.
    private final ArrayDeque<BlockRef> waiting = new ArrayDeque<>();

    private boolean pauseTold;
    private long row;
    private int asides;
    private boolean hasOutput;
    private TaskEvent.@Nullable Finished finished;

    /// @param recipe held by the task, which outlives this
    ForwardedOutput(RecoveringRuntime runtime, TaskSpec spec, TaskRecipe recipe, Consumer<TaskEvent> events) {
        this.runtime = runtime;
        this.spec = spec;
        this.recipe = recipe;
        this.events = events;
        this.credit = spec.credit();
    }

    /// The engine allows this many more blocks, and must be told of the next pause.
    void granted(int blocks) {
        credit += blocks;
        pauseTold = false;
    }

    /// A block was made, or rows of one; takes it over.
    void made(BlockSlice slice, BlockMetadata metadata) {
        waiting.add(wrap(slice, metadata));
    }

    private RecoverableBlock wrap(BlockSlice made, BlockMetadata metadata) {
        if (metadata.aside() != null) {
            asides++;
            return RecoverableBlock.kept(made.block(), runtime.lostNodes());
        }
        long first = row;
        row += made.rows();
        hasOutput = true;
        RecoverableBlock block = RecoverableBlock.made(made, metadata, runtime.lostNodes(), recipe, first);
        if (runtime.recoveries().isActive()) {
            block.maySpill();
        }
        return block;
    }

    /// The task has made all of its output.
    void finished(TaskEvent.Finished done) {
        finished = done;
    }

    /// The rows and blocks that were not made yet come from the second attempt, which has finished.
    void completeFrom(SecondAttempt attempt, TaskEvent.Finished done) {
        long rows = attempt.rows();
        for (SecondAttempt.Part part : attempt.beyond(row, asides, hasOutput)) {
            made(part.slice(), part.metadata());
        }
        row = rows;
        finished = new TaskEvent.Finished(spec.id(), done.report());
    }

    /// What the task's finished attempt reported; null before it has finished.
    TaskEvent.@Nullable Finished finished() {
        return finished;
    }

    /// Sends what the engine may have now.
    ///
    /// @param cancelled the engine wants nothing any more: what it has no credit for is dropped
    /// @return the task's end, if it has finished and nothing is left; the caller sends it
    @Nullable
    TaskEvent send(boolean cancelled) {
        while (!waiting.isEmpty() && (credit > 0 || cancelled)) {
            BlockRef block = waiting.remove();
            if (credit > 0) {
                credit--;
                events.accept(new TaskEvent.BlockReady(spec.id(), block));
            } else {
                block.release();
            }
        }
        if (!waiting.isEmpty()) {
            tellPause(cancelled);
            return null;
        }
        return finished == null ? null : checked(finished);
    }

    private TaskEvent checked(TaskEvent.Finished done) {
        try {
            recipe.finished(row);
            return done;
        } catch (RuntimeException e) {
            return new TaskEvent.Failed(spec.id(), e, false, done.report());
        }
    }

    /// The attempt reports a pause. A grant may be on its way, to which the engine compares this: each one is passed
    /// on, unless the task goes on without the engine's credit.
    void paused(boolean goesOn, boolean cancelled) {
        pauseTold = false;
        if (!goesOn) {
            tellPause(cancelled);
        }
    }

    private void tellPause(boolean cancelled) {
        if (!pauseTold && !cancelled) {
            pauseTold = true;
            events.accept(new TaskEvent.Paused(spec.id()));
        }
    }

    /// Releases what was not sent.
    void clear() {
        waiting.forEach(BlockRef::release);
        waiting.clear();
    }
}

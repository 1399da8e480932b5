package dev.millrace.internal.runtime;

import dev.millrace.block.Block;
import dev.millrace.block.RowOrigin;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskProgress;
import dev.millrace.runtime.ToleratedErrors;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The context of a task that is another one's but for what a subclass changes.
public abstract class ForwardingContext implements TaskContext {
    private final TaskContext inner;

    protected ForwardingContext(TaskContext inner) {
        this.inner = inner;
    }

    @Override
    public int inputs() {
        return inner.inputs();
    }

    @Override
    public Block input(int index) {
        return inner.input(index);
    }

    @Override
    public Allocator allocator() {
        return inner.allocator();
    }

    @Override
    public void emit(Block block) {
        inner.emit(block);
    }

    @Override
    public void emit(Block block, List<RowOrigin> origins) {
        inner.emit(block, origins);
    }

    @Override
    public void emitAside(String name, Block block) {
        inner.emitAside(name, block);
    }

    @Override
    public boolean isCancelled() {
        return inner.isCancelled();
    }

    @Override
    public @Nullable Object actorState() {
        return inner.actorState();
    }

    @Override
    public void count(String counter, long amount) {
        inner.count(counter, amount);
    }

    @Override
    public void tolerated(ToleratedErrors errors) {
        inner.tolerated(errors);
    }

    @Override
    public void used(FunctionUse function) {
        inner.used(function);
    }

    @Override
    public void watch(Supplier<TaskProgress> progress) {
        inner.watch(progress);
    }

    @Override
    public void tell(Serializable value) {
        inner.tell(value);
    }
}

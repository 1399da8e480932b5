package dev.millrace.internal.runtime.wire;

import dev.millrace.block.Block;
import dev.millrace.internal.runtime.ForwardingContext;
import dev.millrace.runtime.BlocksLost;
import dev.millrace.runtime.TaskContext;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The context of a shipped task: some of its inputs are in the worker's store, others come from elsewhere. Remembers
/// that an input was lost, whatever the program makes of the exception. The task's thread.
public final class WireContext extends ForwardingContext {
    private final int[] places;
    private final TaskInputs others;
    private @Nullable BlocksLost lost;

    /// @param places of each input, its position among those of `inner`, or -1 if it is one of the others
    WireContext(TaskContext inner, int[] places, TaskInputs others) {
        super(inner);
        this.places = places;
        this.others = others;
    }

    /// The context of a task with this many inputs, none of which `inner` has.
    public static WireContext of(TaskContext inner, int inputs, TaskInputs others) {
        int[] places = new int[inputs];
        Arrays.fill(places, -1);
        return new WireContext(inner, places, others);
    }

    /// What was thrown when an input was lost; null if none was.
    @Nullable
    BlocksLost lost() {
        return lost;
    }

    @Override
    public int inputs() {
        return places.length;
    }

    @Override
    public Block input(int index) {
        if (places[index] >= 0) {
            return super.input(places[index]);
        }
        try {
            return others.input(index, allocator());
        } catch (BlocksLost e) {
            lost = e;
            throw e;
        }
    }
}

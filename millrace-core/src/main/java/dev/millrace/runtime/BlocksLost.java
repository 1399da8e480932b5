package dev.millrace.runtime;

import java.util.Arrays;
import java.util.List;

/// Blocks are gone from the store, with the node that had them. The cause of a [TaskEvent.Failed] of a task that could
/// not get an input, whatever its program made of the exception; also thrown by [Runtime#get]. Nothing is wrong with
/// the task: it is run again, once its inputs have been made again.
public final class BlocksLost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int[] inputs;

    /// @param message a sentence that names the node, and how it was lost if that is known
    /// @param inputs the positions of the lost blocks among the task's inputs; of [Runtime#get], position 0
    public BlocksLost(String message, List<Integer> inputs) {
        super(message);
        this.inputs = inputs.stream().mapToInt(Integer::intValue).toArray();
    }

    /// The positions of the lost blocks among the task's inputs, as far as they are known by now: others may be lost
    /// too.
    public List<Integer> inputs() {
        return Arrays.stream(inputs).boxed().toList();
    }
}

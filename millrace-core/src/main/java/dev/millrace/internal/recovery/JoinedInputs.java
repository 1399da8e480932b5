package dev.millrace.internal.recovery;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.runtime.ForwardingContext;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskProgram;
import java.util.ArrayList;
import java.util.List;

/// A program some of whose inputs come in several pieces: it gets them concatenated.
///
/// @param firsts of each input, the position of its first piece among the inputs of the task; and the number of pieces
record JoinedInputs(TaskProgram program, int[] firsts) implements TaskProgram {
    private static final long serialVersionUID = 1L;

    /// The program for inputs in these pieces: itself, if each is one.
    static TaskProgram of(TaskProgram program, List<List<BlockSlice>> inputs) {
        int[] firsts = new int[inputs.size() + 1];
        for (int i = 0; i < inputs.size(); i++) {
            firsts[i + 1] = firsts[i] + inputs.get(i).size();
        }
        return firsts[inputs.size()] == inputs.size() ? program : new JoinedInputs(program, firsts);
    }

    @Override
    public void run(TaskContext context) throws Exception {
        program.run(new Joining(context, firsts));
    }

    /// Rows in pieces as one block, which the caller closes.
    ///
    /// @param piece fetches one of them
    static Block join(Allocator allocator, int from, int to, Pieces piece) {
        if (to - from == 1) {
            return piece.get(from);
        }
        try (ResourceScope scope = new ResourceScope()) {
            List<Block> blocks = new ArrayList<>();
            for (int i = from; i < to; i++) {
                blocks.add(scope.add(piece.get(i)));
            }
            return Blocks.concatenate(allocator, blocks);
        }
    }

    interface Pieces {
        Block get(int index);
    }

    private static final class Joining extends ForwardingContext {
        private final int[] firsts;

        Joining(TaskContext context, int[] firsts) {
            super(context);
            this.firsts = firsts;
        }

        @Override
        public int inputs() {
            return firsts.length - 1;
        }

        @Override
        public Block input(int index) {
            return join(allocator(), firsts[index], firsts[index + 1], super::input);
        }
    }
}

package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Bits;
import dev.millrace.internal.kernel.join.JoinHashTable;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A join whose build side does not fit into memory: it is built in rounds, each with as many rows as fit, and all
/// probe rows pass each round. Which probe rows matched is known only at the end. One thread; closed by its owner.
final class JoinRounds implements AutoCloseable {
    private final ReduceTask task;
    private final JoinInput input;
    private final JoinRole role;
    private final JoinOutput output;
    private final JoinPairs pairs;
    /// A bit for each row of the probe side, set if it matched; null if that is not tracked.
    private final @Nullable Buffer met;
    /// Rows of the probe side before the current block.
    private long passed;

    JoinRounds(JoinInput input, JoinRole role, JoinOutput output, JoinPairs pairs) {
        this.task = input.task();
        this.input = input;
        this.role = role;
        this.output = output;
        this.pairs = pairs;
        boolean remembers = role.keepsPassing() || role.selects();
        this.met = remembers ? task.allocator().allocateZeroed(task.rows(input.passing()) / Byte.SIZE + 1) : null;
    }

    /// @param leaver takes the remaining build rows of each round
    void run(Consumer<BuildSide> leaver) {
        List<Block> blocks = new ArrayList<>();
        try {
            long bytes = 0;
            for (int run = 0; run < task.runs(input.built()); run++) {
                for (int i = 0; i < task.blocks(input.built(), run); i++) {
                    Block block = task.block(input.built(), run, i);
                    blocks.add(block);
                    bytes += block.sizeBytes() + block.rows() * JoinInput.TABLE_ROW_BYTES;
                    if (bytes >= task.mostBytes()) {
                        round(blocks, leaver);
                        bytes = 0;
                    }
                }
            }
            if (!blocks.isEmpty()) {
                round(blocks, leaver);
            }
        } finally {
            blocks.forEach(Block::close);
        }
        if (met != null) {
            remembered(met);
        }
    }

    private void round(List<Block> blocks, Consumer<BuildSide> leaver) {
        Block rows = Blocks.concatenate(task.allocator(), blocks);
        blocks.forEach(Block::close);
        blocks.clear();
        try (BuildSide built = BuildSide.of(input, rows, role.marks())) {
            passed = 0;
            if (role.asks(built.rows())) {
                input.eachPassing(input.coded(input.passing()), block -> {
                    pass(built, block);
                    passed += block.rows();
                });
            }
            leaver.accept(built);
        }
    }

    private void pass(BuildSide built, Block block) {
        built.ask(block, (from, count, found) -> {
            remember(from, count, found);
            if (role.pairs()) {
                pairs.emit(built, block, from, count, found, false);
            }
        });
        output.flush(built.rows(), block);
    }

    private void remember(int from, int count, int[] found) {
        if (met != null) {
            MemorySegment bits = met.segment();
            for (int i = 0; i < count; i++) {
                if (found[i] >= 0) {
                    Bits.set(bits, passed + from + i, true);
                }
            }
        }
    }

    /// Emits rows of the probe side depending on whether they matched in any round.
    private void remembered(Buffer met) {
        int[] found = new int[JoinHashTable.CHUNK];
        passed = 0;
        try (Block none = Blocks.empty(input.columnsOf(input.built()))) {
            input.eachPassing(List.of(), block -> {
                for (long from = 0; from < block.rows(); from += JoinHashTable.CHUNK) {
                    int count = (int) Math.min(JoinHashTable.CHUNK, block.rows() - from);
                    for (int k = 0; k < count; k++) {
                        found[k] = Bits.get(met.segment(), passed + from + k) ? 0 : -1;
                    }
                    output.addChosen(none, block, (int) from, count, found, role.wantsMet());
                }
                output.flush(none, block);
                passed += block.rows();
            });
        }
    }

    @Override
    public void close() {
        if (met != null) {
            met.release();
        }
    }
}

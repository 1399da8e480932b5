package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import java.util.List;

/// One task of a join. One side is built into a hash table, or already was (build side); the other probes it (probe
/// side).
final class JoinRun implements AutoCloseable {
    /// A larger table does not fit the cache.
    private static final long CACHE_BYTES = 4 << 20;
    /// How many times its target size a build side may take before it is built in rounds.
    private static final int ROUND_LIMIT = 2;

    private final ReduceTask task;
    private final JoinInput input;
    private final JoinRole role;
    private final JoinOutput output;
    private final JoinPairs pairs;

    JoinRun(ReduceTask task, JoinReducer reducer, boolean buildsLeft) {
        this.task = task;
        this.input = new JoinInput(task, reducer, buildsLeft);
        this.role = new JoinRole(reducer.join().kind(), buildsLeft);
        this.output = new JoinOutput(task, reducer.join(), reducer.wanted(), buildsLeft);
        this.pairs = new JoinPairs(role, output);
    }

    /// Large inputs are joined partition by partition, each with a table that fits the cache; small ones all at once.
    void run() {
        long tableBytes = task.rows(input.built()) * JoinInput.TABLE_ROW_BYTES;
        boolean each = task.partitions() > 1 && tableBytes >= Math.min(task.targetBytes(), CACHE_BYTES);
        if (each) {
            partitions();
        } else {
            whole();
        }
        try (Block none = Blocks.empty(input.columnsOf(input.built()))) {
            finish(none);
        }
    }

    /// The table exists; blocks of the other side probe it as they arrive. Reports which of its rows were matched, if
    /// that matters.
    void probe() {
        BuildTable about = (BuildTable) task.argument();
        if (about == null) {
            try (BuildSide built = BuildSide.of(input, null, role.marks())) {
                probe(built);
            }
            return;
        }
        try (BuildTable.Reading reading = about.open(task, input.built());
                BuildSide built = BuildSide.over(input, reading, role.marks())) {
            probe(built);
        }
    }

    private void probe(BuildSide built) {
        passAll(built);
        if (role.marks()) {
            task.tell(MatchedRows.of(built, input.columnsOf(input.passing())));
        }
        finish(built.rows());
    }

    /// Emits the rows of a table depending on whether any of the probing tasks matched them.
    void emitUnmatched() {
        LastTaskInput rest = (LastTaskInput) task.requireArgument();
        BuildTable about = (BuildTable) rest.made();
        if (about == null || rest.found() == null) {
            return;
        }
        MatchedRows met = (MatchedRows) rest.found();
        try (BuildTable.Reading reading = about.open(task, input.built());
                Block rows = reading.rows();
                Block nothing = Blocks.empty(met.passing())) {
            pairs.leave(rows, met.segment(), nothing);
            output.finish(rows, nothing);
        }
    }

    /// The columns of a task without pairs.
    private void finish(Block built) {
        try (Block nothing = Blocks.empty(input.columnsOf(input.passing()))) {
            output.finish(built, nothing);
        }
    }

    private void whole() {
        if (!input.isAsOf() && input.builtBytes() > ROUND_LIMIT * task.mostBytes()) {
            try (JoinRounds rounds = new JoinRounds(input, role, output, pairs)) {
                rounds.run(this::leave);
            }
            return;
        }
        Block all = task.all(input.built(), input.coded(input.built()));
        try (BuildSide built = BuildSide.of(input, all, role.marks())) {
            passAll(built);
            leave(built);
        }
    }

    private void passAll(BuildSide built) {
        if (role.asks(built.rows())) {
            List<String> coded = input.coded(input.passing());
            input.eachPassing(coded, block -> pairs.pass(built, block));
        }
    }

    private void leave(BuildSide built) {
        if (role.marks() && built.rows().rows() > 0) {
            try (Block nothing = Blocks.empty(input.columnsOf(input.passing()))) {
                pairs.leave(built.rows(), built.met(), nothing);
            }
        }
    }

    private void partitions() {
        try (PartitionFeed builtFeed = partitionsOf(input.built());
                PartitionFeed passingFeed = partitionsOf(input.passing())) {
            for (int i = 0; i < task.partitions(); i++) {
                task.requireRunning();
                try (BuildSide built = BuildSide.of(input, builtFeed.next(), role.marks())) {
                    boolean asks = role.asks(built.rows());
                    passingFeed.next(piece -> {
                        if (asks) {
                            pairs.pass(built, piece);
                        }
                    });
                    leave(built);
                }
            }
        }
    }

    private PartitionFeed partitionsOf(int side) {
        return task.partitionsOf(side, input.coded(side));
    }

    @Override
    public void close() {
        output.close();
    }
}

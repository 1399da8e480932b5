package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.expression.Join;
import dev.millrace.internal.kernel.join.AsOfIndex;
import dev.millrace.internal.kernel.join.JoinKeys;
import dev.millrace.internal.kernel.join.JoinTable;
import dev.millrace.internal.kernel.join.KeyForm;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One task of a join. One side is built into a table, or was before; the other, the passing one, asks it.
final class JoinRun implements AutoCloseable {
    /// A table larger than this does not fit the cache.
    private static final long CACHE_BYTES = 4 << 20;
    /// A side may take so many times what it should before it is built in rounds.
    private static final int ROUND_LIMIT = 2;
    /// What a row takes in a table, about.
    private static final long TABLE_ROW_BYTES = 64;

    private final ReduceTask task;
    private final JoinReducer reducer;
    private final Join.Kind kind;
    private final boolean buildsLeft;
    /// Whether rows of the passing side without a match come out with nulls.
    private final boolean keepsPassing;
    /// Whether it matters at the end which rows of the table were met.
    private final boolean marks;
    private final JoinOutput output;
    private final int[] firsts = new int[JoinTable.CHUNK];

    private Block built;
    private JoinKeys builtKeys;
    private JoinTable table;
    /// Of an as-of join, the rows of the table by what is near; and the type in which that compares.
    private AsOfIndex index;

    private DataType orderType;
    /// A byte for each row of the table, 1 for the first row of each key that was met.
    private Buffer met;

    /// Of a built side that does not fit: a bit for each row of the passing side, set if it was met; null if nobody
    /// asks.
    private Buffer metPassing;

    private boolean inRounds;
    /// Rows of the passing side before the block that passes.
    private long passedRows;

    JoinRun(ReduceTask task, JoinReducer reducer, boolean buildsLeft) {
        this.task = task;
        this.reducer = reducer;
        this.kind = reducer.join().kind();
        this.buildsLeft = buildsLeft;
        this.keepsPassing = buildsLeft ? kind.keepsRight() : kind.keepsLeft();
        boolean keepsBuilt = buildsLeft ? kind.keepsLeft() : kind.keepsRight();
        this.marks = keepsBuilt || (buildsLeft ? kind.isLeftOnly() : kind.isRightOnly());
        this.output = new JoinOutput(task, reducer.join(), reducer.wanted(), buildsLeft);
    }

    private int builtSide() {
        return buildsLeft ? JoinReducer.LEFT : JoinReducer.RIGHT;
    }

    private int passingSide() {
        return buildsLeft ? JoinReducer.RIGHT : JoinReducer.LEFT;
    }

    private List<String> keys(int side) {
        return side == JoinReducer.LEFT
                ? reducer.join().leftKeys()
                : reducer.join().rightKeys();
    }

    /// The columns of a side that has no block to show them.
    private Schema planned(int side) {
        Schema schema = side == JoinReducer.LEFT ? reducer.left() : reducer.right();
        return schema == null
                ? Schema.of(keys(side).stream()
                        .map(key -> new Field(key, DataType.NULL))
                        .toList())
                : schema;
    }

    /// Many rows go partition by partition, each with a table that fits the cache; few all at once.
    void run() {
        long tableBytes = task.rows(builtSide()) * TABLE_ROW_BYTES;
        boolean each = task.partitions() > 1 && tableBytes >= Math.min(task.targetBytes(), CACHE_BYTES);
        if (each) {
            partitions();
        } else {
            whole();
        }
        try (Block nothing = Blocks.empty(columnsOf(passingSide()));
                Block none = Blocks.empty(columnsOf(builtSide()))) {
            output.finish(none, nothing);
        }
    }

    /// The table is there; what passes are blocks of the other side as they came.
    void probe() {
        BuiltTable about = (BuiltTable) task.argument();
        if (about == null) {
            begin(null);
            passAll();
            finish();
            return;
        }
        try (BuiltTable.Reading reading = about.open(task, builtSide())) {
            built = reading.rows();
            builtKeys = reading.joinKeys();
            table = reading.table(builtKeys);
            if (isAsOf() && built.rows() > 0) {
                orderType = reducer.orderType(built.schema());
                index = reading.index(reducer.join().asOf(), orderType);
            }
            passAll();
            finish();
            release();
        }
    }

    /// What a task without pairs shows.
    private void finish() {
        try (Block nothing = Blocks.empty(columnsOf(passingSide()))) {
            output.finish(built, nothing);
        }
    }

    private void whole() {
        if (!isAsOf() && task.runs(builtSide()) > 0 && bytesOf(builtSide()) > ROUND_LIMIT * task.mostBytes()) {
            rounds();
            return;
        }
        begin(task.all(builtSide(), coded(builtSide())));
        passAll();
        end();
    }

    /// What the rows of a side and their table take, judged by the first block.
    private long bytesOf(int side) {
        try (Block first = task.block(side, 0, 0)) {
            double perRow = (double) first.sizeBytes() / Math.max(1, first.rows()) + TABLE_ROW_BYTES;
            return (long) (perRow * task.rows(side));
        }
    }

    /// The built side does not fit: a table of as many of its rows as do, which all rows of the other pass, and so on.
    /// Which of those were met is known at the end only.
    private void rounds() {
        boolean remembers = keepsPassing || selects();
        metPassing = remembers ? task.allocator().allocateZeroed(task.rows(passingSide()) / Byte.SIZE + 1) : null;
        inRounds = true;
        List<Block> blocks = new ArrayList<>();
        try {
            long bytes = 0;
            for (int run = 0; run < task.runs(builtSide()); run++) {
                for (int i = 0; i < task.blocks(builtSide(), run); i++) {
                    Block block = task.block(builtSide(), run, i);
                    blocks.add(block);
                    bytes += block.sizeBytes() + block.rows() * TABLE_ROW_BYTES;
                    if (bytes >= task.mostBytes()) {
                        round(blocks);
                        bytes = 0;
                    }
                }
            }
            if (!blocks.isEmpty()) {
                round(blocks);
            }
        } finally {
            blocks.forEach(Block::close);
        }
        if (remembers) {
            remembered();
        }
    }

    private void round(List<Block> blocks) {
        Block rows = Blocks.concatenate(task.allocator(), blocks);
        blocks.forEach(Block::close);
        blocks.clear();
        begin(rows);
        passedRows = 0;
        passAll();
        end();
    }

    /// Rows of the passing side that come out because of whether they were met in any round.
    private void remembered() {
        begin(null);
        MemorySegment bits = metPassing.segment();
        long before = 0;
        for (int run = 0; run < task.runs(passingSide()); run++) {
            for (int i = 0; i < task.blocks(passingSide(), run); i++) {
                try (Block block = task.block(passingSide(), run, i)) {
                    for (long from = 0; from < block.rows(); from += JoinTable.CHUNK) {
                        int count = (int) Math.min(JoinTable.CHUNK, block.rows() - from);
                        for (int k = 0; k < count; k++) {
                            firsts[k] = Bits.get(bits, before + from + k) ? 0 : -1;
                        }
                        output.addChosen(built, block, (int) from, count, firsts, selects() && !kind.isAnti());
                    }
                    output.flush(built, block);
                    before += block.rows();
                }
            }
        }
        release();
    }

    /// Whether just rows of the passing side come out, chosen by whether they are met.
    private boolean selects() {
        return !marks && (kind.isLeftOnly() || kind.isRightOnly());
    }

    private void passAll() {
        List<String> coded = coded(passingSide());
        for (int run = 0; run < task.runs(passingSide()); run++) {
            for (int i = 0; i < task.blocks(passingSide(), run) && asks(); i++) {
                try (Block block = task.block(passingSide(), run, i, coded)) {
                    pass(block);
                    passedRows += block.rows();
                }
            }
        }
    }

    private void partitions() {
        try (PartitionFeed builtFeed = partitionsOf(builtSide());
                PartitionFeed passingFeed = partitionsOf(passingSide())) {
            for (int i = 0; i < task.partitions(); i++) {
                task.requireRunning();
                begin(builtFeed.next());
                passingFeed.next(piece -> {
                    if (asks()) {
                        pass(piece);
                    }
                });
                end();
            }
        }
    }

    private PartitionFeed partitionsOf(int side) {
        return task.partitionsOf(side, coded(side));
    }

    private List<String> coded(int side) {
        return reducer.textOf(side == JoinReducer.LEFT, reducer.coded());
    }

    /// The columns of a side, which may be known only from its blocks.
    private Schema columnsOf(int side) {
        Schema told = task.schema(side);
        if (told != null) {
            return told;
        }
        for (int run = 0; run < task.runs(side); run++) {
            if (task.blocks(side, run) > 0) {
                try (Block block = task.block(side, run, 0)) {
                    return block.schema();
                }
            }
        }
        return planned(side);
    }

    /// Takes over the rows for the table, null for none.
    private void begin(Block rows) {
        built = rows == null ? Blocks.empty(columnsOf(builtSide())) : rows;
        if (isAsOf() && built.rows() > 0) {
            orderType = reducer.orderType(built.schema());
            built = reducer.arranged(task.allocator(), built, orderType);
        }
        if (marks) {
            met = task.allocator().allocateZeroed(Math.max(1, built.rows()));
        }
    }

    private boolean isAsOf() {
        return reducer.join().asOf() != null;
    }

    /// Whether rows of the passing side can change anything.
    private boolean asks() {
        return built.rows() > 0 || keepsPassing || (!marks && kind.isAnti());
    }

    private void end() {
        if (marks && built.rows() > 0) {
            try (Block nothing = Blocks.empty(columnsOf(passingSide()))) {
                leave(nothing);
            }
        }
        release();
    }

    private void pass(Block block) {
        if (built.rows() == 0) {
            for (long from = 0; from < block.rows(); from += JoinTable.CHUNK) {
                int count = (int) Math.min(JoinTable.CHUNK, block.rows() - from);
                Arrays.fill(firsts, 0, count, -1);
                emit(block, from, count);
            }
            output.flush(built, block);
            return;
        }
        Column order = isAsOf() ? reducer.orderOf(task.allocator(), block, orderType) : null;
        try (JoinKeys keys = keysOf(block, passingSide())) {
            prepare(keys);
            for (long from = 0; from < block.rows(); from += JoinTable.CHUNK) {
                task.requireRunning();
                int count = (int) Math.min(JoinTable.CHUNK, block.rows() - from);
                table.find(keys, from, count, firsts);
                if (index != null) {
                    index.narrow(order, from, count, firsts);
                }
                emit(block, from, count);
            }
        } finally {
            if (order != null) {
                order.release();
            }
        }
        output.flush(built, block);
    }

    private JoinKeys keysOf(Block block, int side) {
        return reducer.keysOf(task.allocator(), block, side == JoinReducer.LEFT);
    }

    /// Has a table whose keys have the form in which they compare to these; blocks of different types may need
    /// another.
    private void prepare(JoinKeys passing) {
        if (builtKeys == null) {
            builtKeys = keysOf(built, builtSide());
        }
        List<KeyForm> forms = new ArrayList<>();
        for (int k = 0; k < reducer.as().size(); k++) {
            DataType left = (buildsLeft ? builtKeys : passing).types().get(k);
            DataType right = (buildsLeft ? passing : builtKeys).types().get(k);
            forms.add(KeyForm.require(
                    reducer.join().leftKeys().get(k),
                    left,
                    reducer.join().rightKeys().get(k),
                    right));
        }
        if (table == null || !table.forms().equals(forms)) {
            closeTable();
            table = JoinTable.build(task.allocator(), builtKeys, forms, Math.toIntExact(built.rows()));
            if (isAsOf()) {
                index = AsOfIndex.of(
                        task.allocator(),
                        built,
                        builtKeys,
                        table,
                        reducer.join().asOf(),
                        orderType);
            }
        }
    }

    private void emit(Block block, long from, int count) {
        boolean pairs = !kind.isLeftOnly() && !kind.isRightOnly();
        int row = (int) from;
        if (marks) {
            mark(count);
        }
        if (inRounds) {
            remember(from, count);
            if (!pairs) {
                return;
            }
        }
        boolean keeps = keepsPassing && !inRounds;
        if (!pairs) {
            if (!marks) {
                output.addChosen(built, block, row, count, firsts, !kind.isAnti());
            }
        } else if (isAsOf() || table == null || table.isUnique()) {
            output.addPairs(built, block, row, count, firsts, keeps);
        } else {
            emitChains(block, row, count, keeps);
        }
    }

    private void mark(int count) {
        MemorySegment marked = met.segment();
        for (int i = 0; i < count; i++) {
            if (firsts[i] >= 0) {
                marked.set(JAVA_BYTE, firsts[i], (byte) 1);
            }
        }
    }

    private void remember(long from, int count) {
        if (metPassing != null) {
            MemorySegment bits = metPassing.segment();
            for (int i = 0; i < count; i++) {
                if (firsts[i] >= 0) {
                    Bits.set(bits, passedRows + from + i, true);
                }
            }
        }
    }

    private void emitChains(Block block, int from, int count, boolean keeps) {
        for (int i = 0; i < count; i++) {
            if (firsts[i] < 0) {
                if (keeps) {
                    output.add(built, block, -1, from + i);
                }
            } else {
                for (int other = firsts[i]; other >= 0; other = table.after(other)) {
                    output.add(built, block, other, from + i);
                }
            }
        }
    }

    /// Rows of the table that come out because of whether they were met.
    private void leave(Block nothing) {
        spreadMarks();
        boolean pairs = !kind.isLeftOnly() && !kind.isRightOnly();
        boolean wanted = !pairs && !kind.isAnti();
        MemorySegment marked = met.segment();
        for (int row = 0; row < built.rows(); row++) {
            if ((marked.get(JAVA_BYTE, row) != 0) == wanted) {
                output.add(built, nothing, row, -1);
            }
        }
        output.flush(built, nothing);
    }

    /// From the first row of each key to the others, which follow it.
    private void spreadMarks() {
        if (table == null || !marks) {
            return;
        }
        MemorySegment marked = met.segment();
        for (int row = 0; row < built.rows(); row++) {
            if (marked.get(JAVA_BYTE, row) != 0) {
                int after = table.after(row);
                if (after >= 0) {
                    marked.set(JAVA_BYTE, after, (byte) 1);
                }
            }
        }
    }

    private void closeTable() {
        if (table != null) {
            spreadMarks();
            table.close();
            table = null;
        }
        closeIndex();
    }

    private void closeIndex() {
        if (index != null) {
            index.close();
            index = null;
        }
    }

    private void release() {
        closeIndex();
        if (table != null) {
            table.close();
            table = null;
        }
        if (builtKeys != null) {
            builtKeys.close();
            builtKeys = null;
        }
        if (met != null) {
            met.release();
            met = null;
        }
        if (built != null) {
            built.close();
            built = null;
        }
    }

    @Override
    public void close() {
        if (metPassing != null) {
            metPassing.release();
            metPassing = null;
        }
        output.close();
        release();
    }
}

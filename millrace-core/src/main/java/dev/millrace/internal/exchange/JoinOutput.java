package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.internal.kernel.join.JoinColumns;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.Join;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Collects pairs of rows and assembles the output blocks of a join.
final class JoinOutput implements AutoCloseable {
    private static final int MAX_ROWS = 1 << 16;
    private static final long MIN_ROW_BYTES = 8;
    private static final int WAITING_ROW_BYTES = 64;

    private final ReduceTask task;
    private final Allocator allocator;
    private final Join join;
    private final @Nullable List<String> wanted;
    private final boolean buildsLeft;
    private final int[] ofBuilt = new int[MAX_ROWS];
    private final int[] ofPassing = new int[MAX_ROWS];
    private int count;
    private boolean lacksBuilt;
    private boolean lacksPassing;
    private boolean made;
    /// Created with the first rows, if no steps follow.
    private @Nullable BlockShaper shaper;

    private @Nullable Block sizedFor;
    private int batch;

    /// The schema for which [#columns] was computed.
    private @Nullable Schema builtSchema;

    private @Nullable Schema passingSchema;
    private @Nullable JoinColumns columns;

    JoinOutput(ReduceTask task, Join join, @Nullable List<String> wanted, boolean buildsLeft) {
        this.task = task;
        this.allocator = task.allocator();
        this.join = join;
        this.wanted = wanted;
        this.buildsLeft = buildsLeft;
    }

    /// Adds a row of the output; -1 if it has no row of that side. All rows since the last [#flush] are of the same
    /// blocks.
    void add(Block built, Block passing, int builtRow, int passingRow) {
        if (passing != sizedFor) {
            batch = batchFor(built, passing);
            sizedFor = passing;
        }
        ofBuilt[count] = builtRow;
        ofPassing[count] = passingRow;
        lacksBuilt |= builtRow < 0;
        lacksPassing |= passingRow < 0;
        if (++count == batch) {
            flush(built, passing);
        }
    }

    /// Adds consecutive rows of the probe side, each with its only matching row of the table; -1 if it has none.
    ///
    /// @param keep whether unmatched rows are emitted too
    void addPairs(Block built, Block passing, int from, int rows, int[] firsts, boolean keep) {
        if (!hasRoom(built, passing, rows)) {
            for (int i = 0; i < rows; i++) {
                if (firsts[i] >= 0 || keep) {
                    add(built, passing, firsts[i], from + i);
                }
            }
            return;
        }
        int at = count;
        int lacking = 0;
        for (int i = 0; i < rows; i++) {
            int first = firsts[i];
            ofBuilt[at] = first;
            ofPassing[at] = from + i;
            lacking |= first;
            at += first >= 0 || keep ? 1 : 0;
        }
        lacksBuilt |= keep && lacking < 0;
        count = at;
        if (count == batch) {
            flush(built, passing);
        }
    }

    /// Adds those of consecutive rows of the probe side that have a match, or those that have none.
    void addChosen(Block built, Block passing, int from, int rows, int[] firsts, boolean met) {
        lacksBuilt = true;
        if (!hasRoom(built, passing, rows)) {
            for (int i = 0; i < rows; i++) {
                if (firsts[i] >= 0 == met) {
                    add(built, passing, -1, from + i);
                }
            }
            return;
        }
        int at = count;
        for (int i = 0; i < rows; i++) {
            ofPassing[at] = from + i;
            at += firsts[i] >= 0 == met ? 1 : 0;
        }
        count = at;
        if (count == batch) {
            flush(built, passing);
        }
    }

    private boolean hasRoom(Block built, Block passing, int rows) {
        if (passing != sizedFor) {
            batch = batchFor(built, passing);
            sizedFor = passing;
        }
        return count + rows <= batch;
    }

    private int batchFor(Block built, Block passing) {
        long perRow = MIN_ROW_BYTES
                + built.sizeBytes() / Math.max(1, built.rows())
                + passing.sizeBytes() / Math.max(1, passing.rows());
        return Math.clamp(task.targetBytes() / perRow, 1, MAX_ROWS);
    }

    void flush(Block built, Block passing) {
        if (count > 0) {
            task.requireRunning();
            Block rows = block(built, passing);
            made = true;
            if (task.isChained()) {
                task.emit(rows);
                forget();
                return;
            }
            if (shaper == null) {
                shaper = shaperFor(rows);
            }
            shaper.add(rows);
            forget();
            drain(shaper);
        }
    }

    private void forget() {
        count = 0;
        lacksBuilt = false;
        lacksPassing = false;
    }

    /// A row counts as if it had a minimum width: narrow rows, of which there may be very many, should not be collected
    /// for long.
    private BlockShaper shaperFor(Block rows) {
        double perRow = (double) rows.sizeBytes() / rows.rows();
        double share = Math.min(1, perRow / WAITING_ROW_BYTES);
        return BlockShaper.toBytes(allocator, Math.max(1, (long) (task.targetBytes() * share)));
    }

    /// Emits the last rows; and if there were none at all, an empty block with the columns.
    void finish(Block built, Block passing) {
        if (shaper != null) {
            shaper.finish();
            drain(shaper);
        } else if (!made) {
            Schema left = (buildsLeft ? built : passing).schema();
            Schema right = (buildsLeft ? passing : built).schema();
            task.emit(
                    Blocks.empty(JoinColumns.of(join, left, right).only(wanted).schema()));
        }
    }

    private void drain(BlockShaper shaper) {
        for (Block block = shaper.poll(); block != null; block = shaper.poll()) {
            task.emit(block);
        }
    }

    private Block block(Block built, Block passing) {
        Block left = buildsLeft ? built : passing;
        Block right = buildsLeft ? passing : built;
        JoinColumns made = columns(built, passing, left.schema(), right.schema());
        int[] ofLeft = buildsLeft ? ofBuilt : ofPassing;
        int[] ofRight = buildsLeft ? ofPassing : ofBuilt;
        boolean lacksLeft = buildsLeft ? lacksBuilt : lacksPassing;
        boolean lacksRight = buildsLeft ? lacksPassing : lacksBuilt;
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> taken = scope.list();
            for (int i = 0; i < made.sources().size(); i++) {
                JoinColumns.Source source = made.sources().get(i);
                DataType type = made.schema().field(i).type();
                boolean fromLeft =
                        source.right() < 0 || (source.left() >= 0 && !lacksLeft && join.kind() != Join.Kind.RIGHT);
                taken.add(
                        fromLeft
                                ? take(left.column(source.left()), type, ofLeft, lacksLeft)
                                : take(right.column(source.right()), type, ofRight, lacksRight));
            }
            return scope.keep(Block.of(made.schema(), taken, count));
        }
    }

    private JoinColumns columns(Block built, Block passing, Schema left, Schema right) {
        JoinColumns known = columns;
        if (known == null
                || !Objects.equals(builtSchema, built.schema())
                || !Objects.equals(passingSchema, passing.schema())) {
            known = JoinColumns.of(join, left, right).only(wanted);
            columns = known;
            builtSchema = built.schema();
            passingSchema = passing.schema();
        }
        return known;
    }

    private Column take(Column column, DataType type, int[] positions, boolean lacks) {
        if (lacks && column.length() == 0) {
            return Columns.nulls(allocator, type, count);
        }
        Column taken = lacks
                ? GatherKernel.takeOrNull(allocator, column, positions, count)
                : isRun(positions)
                        ? GatherKernel.take(allocator, column, SelectionVector.of(positions, count))
                        : GatherKernel.take(allocator, column, positions, count);
        if (taken.type().equals(type)) {
            return taken;
        }
        try {
            return WidenKernel.to(allocator, taken, type);
        } finally {
            taken.release();
        }
    }

    /// Consecutive rows are shared by slicing, or copied at once.
    private boolean isRun(int[] positions) {
        if (positions[count - 1] - positions[0] != count - 1) {
            return false;
        }
        for (int i = 1; i < count; i++) {
            if (positions[i] != positions[i - 1] + 1) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        if (shaper != null) {
            shaper.close();
        }
    }
}

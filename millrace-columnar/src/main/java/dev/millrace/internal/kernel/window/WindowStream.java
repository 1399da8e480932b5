package dev.millrace.internal.kernel.window;

import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.sort.RowCompare;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Window functions over a stream of rows that are one partition and arrive sorted, piece by piece; rows with equal
/// keys are never in two pieces. A piece is emitted when the following rows that its functions read have arrived.
///
/// Use: [#add], then [#poll] until null; at the end [#finish] and poll again. One thread.
public final class WindowStream implements AutoCloseable {
    /// Aggregates of all rows that do not depend on their order.
    private static final Set<AggregateFunction> TOTALS = EnumSet.of(
            AggregateFunction.COUNT,
            AggregateFunction.SUM,
            AggregateFunction.MEAN,
            AggregateFunction.MIN,
            AggregateFunction.MAX,
            AggregateFunction.STD,
            AggregateFunction.VARIANCE,
            AggregateFunction.ANY,
            AggregateFunction.ALL,
            AggregateFunction.COUNT_DISTINCT,
            AggregateFunction.QUANTILE);
    /// The maximum number of rows around a piece that are kept.
    private static final long MAX_AROUND = 1 << 20;

    private final Allocator allocator;
    private final Window window;
    private final List<WindowFunction> functions;
    private final WindowTotals totals;
    private final Map<WindowFunction, AggregateCarry> carries = new HashMap<>();
    private final PiecePosition place;
    private final long before;
    private final long after;
    /// Emitted rows that later ones still read.
    private final Deque<Block> behind = new ArrayDeque<>();
    /// Pieces that were not emitted.
    private final Deque<Block> waiting = new ArrayDeque<>();

    private long waitingRows;
    private boolean finished;

    /// @param rows the total number of rows
    public WindowStream(
            Allocator allocator, Window window, List<WindowFunction> functions, long rows, WindowTotals totals) {
        this.allocator = allocator;
        this.window = window;
        this.functions = functions;
        this.totals = totals;
        this.place = new PiecePosition(rows);
        this.before = functions.stream().mapToLong(WindowStream::before).max().orElse(0);
        this.after = functions.stream().mapToLong(WindowStream::after).max().orElse(0);
    }

    /// True for functions that need neither all rows in memory nor another order.
    public static boolean canStream(Window window, List<WindowFunction> functions) {
        return window.keys().isEmpty() && functions.stream().allMatch(function -> streams(window, function));
    }

    private static boolean streams(Window window, WindowFunction function) {
        if (window.order().isEmpty() && WindowBlocks.asksForPeers(function)) {
            return false;
        }
        return !isOfValues(function)
                && before(function) <= MAX_AROUND
                && after(function) <= MAX_AROUND
                && switch (function) {
                    case WindowFunction.Numbering _, WindowFunction.Shifted _ -> true;
                    case WindowFunction.Picked picked -> isNear(picked.frame());
                    case WindowFunction.Aggregated aggregated
                    when aggregated.frame().isPartition() ->
                        TOTALS.contains(aggregated.aggregate().function());
                    case WindowFunction.Aggregated aggregated ->
                        isRunning(aggregated.frame()) || isNear(aggregated.frame());
                };
    }

    private static boolean isOfValues(WindowFunction function) {
        return switch (function) {
            case WindowFunction.Numbering _, WindowFunction.Shifted _ -> false;
            case WindowFunction.Picked picked -> picked.frame().unit() == Frame.Unit.VALUES;
            case WindowFunction.Aggregated aggregated -> aggregated.frame().unit() == Frame.Unit.VALUES;
        };
    }

    private static boolean isRunning(Frame frame) {
        return frame.from() == Frame.UNBOUNDED_PRECEDING && frame.to() == 0;
    }

    /// True for frames without an open end.
    private static boolean isNear(Frame frame) {
        return frame.from() != Frame.UNBOUNDED_PRECEDING && frame.to() != Frame.UNBOUNDED_FOLLOWING;
    }

    /// The number of rows before a piece that a function reads.
    private static long before(WindowFunction function) {
        return switch (function) {
            case WindowFunction.Numbering _ -> 0;
            case WindowFunction.Shifted shifted -> Math.max(0, shifted.rows());
            case WindowFunction.Picked picked ->
                isNear(picked.frame()) ? Math.max(0, -picked.frame().from()) : 0;
            case WindowFunction.Aggregated aggregated ->
                isNear(aggregated.frame()) ? Math.max(0, -aggregated.frame().from()) : 0;
        };
    }

    /// The number of rows after a piece that a function reads.
    private static long after(WindowFunction function) {
        return switch (function) {
            case WindowFunction.Numbering _ -> 0;
            case WindowFunction.Shifted shifted -> Math.max(0, -shifted.rows());
            case WindowFunction.Picked picked ->
                isNear(picked.frame()) ? Math.max(0, picked.frame().to()) : 0;
            case WindowFunction.Aggregated aggregated ->
                isNear(aggregated.frame()) ? Math.max(0, aggregated.frame().to()) : 0;
        };
    }

    /// Takes ownership of the piece.
    public void add(Block piece) {
        waiting.add(piece);
        waitingRows += piece.rows();
    }

    /// No more rows arrive.
    public void finish() {
        finished = true;
    }

    /// The next piece with the functions' columns, which the caller closes; null when none is ready.
    public @Nullable Block poll() {
        if (waiting.isEmpty() || !finished && waitingRows - waiting.peek().rows() < after) {
            return null;
        }
        Block piece = waiting.poll();
        waitingRows -= piece.rows();
        Block done;
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(piece);
            done = compute(piece);
            scope.keep();
        }
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(done);
            keep(piece);
            return scope.keep(done);
        }
    }

    private Block compute(Block piece) {
        WindowTypes.result(piece.schema(), window, functions);
        int rows = Math.toIntExact(piece.rows());
        List<Field> fields = new ArrayList<>(piece.schema().fields());
        try (ResourceScope scope = new ResourceScope();
                WindowPartitions partitions = partitions(piece);
                PieceContext around = around(piece)) {
            List<Column> columns = scope.list();
            piece.columns().forEach(column -> columns.add(column.retain()));
            for (WindowFunction function : functions) {
                Column made = column(piece, partitions, around, function);
                columns.add(made);
                fields.add(new Field(function.name(), made.type()));
            }
            place.pass(partitions);
            return scope.keep(Block.of(Schema.of(fields), columns, rows));
        }
    }

    private Column column(Block piece, WindowPartitions partitions, PieceContext around, WindowFunction function) {
        int rows = partitions.rows();
        return switch (function) {
            case WindowFunction.Numbering numbering -> {
                try (RankColumns places = new RankColumns(allocator, partitions, numbering, place)) {
                    yield places.next(0, rows);
                }
            }
            case WindowFunction.Aggregated aggregated
            when aggregated.frame().isPartition() ->
                GatherKernel.take(allocator, totals.of(function), new int[rows], rows);
            case WindowFunction.Aggregated aggregated
            when isRunning(aggregated.frame()) ->
                carries.computeIfAbsent(function, _ -> new AggregateCarry(aggregated))
                        .compute(allocator, piece, partitions);
            case WindowFunction.Aggregated aggregated
            when aggregated.frame().unit() == Frame.Unit.RANGE -> of(piece, partitions, function, 0, rows);
            case WindowFunction.Picked picked
            when picked.frame().unit() == Frame.Unit.RANGE -> of(piece, partitions, function, 0, rows);
            case WindowFunction.Shifted _, WindowFunction.Picked _, WindowFunction.Aggregated _ -> {
                int all = Math.toIntExact(around.rows().rows());
                try (WindowPartitions whole = WindowPartitions.of(allocator, all, null, null)) {
                    yield of(around.rows(), whole, function, around.from(), around.from() + rows);
                }
            }
        };
    }

    private Column of(Block sorted, WindowPartitions partitions, WindowFunction function, int from, int to) {
        try (SortedRows rows = new SortedRows(allocator, sorted, null, partitions);
                WindowColumn column = WindowColumns.column(allocator, rows, function, window.order())) {
            return column.next(from, to);
        }
    }

    private WindowPartitions partitions(Block piece) {
        boolean asked = functions.stream().anyMatch(WindowBlocks::asksForPeers);
        RowCompare compare = asked ? RowCompare.of(allocator, piece, window.order()) : null;
        return WindowPartitions.of(
                allocator,
                Math.toIntExact(piece.rows()),
                null,
                compare != null ? row -> compare.compare(row - 1, row) != 0 : null);
    }

    /// A piece with the rows before and after it.
    private record PieceContext(Block rows, int from) implements AutoCloseable {
        @Override
        public void close() {
            rows.close();
        }
    }

    private PieceContext around(Block piece) {
        List<Block> all = new ArrayList<>();
        try {
            int from = 0;
            for (Block block : behind) {
                all.add(block.retain());
                from += Math.toIntExact(block.rows());
            }
            all.add(piece.retain());
            long missing = after;
            for (Block block : waiting) {
                if (missing > 0) {
                    all.add(block.slice(0, Math.min(missing, block.rows())));
                    missing -= block.rows();
                }
            }
            return new PieceContext(Blocks.concatenate(allocator, all), from);
        } finally {
            all.forEach(Block::close);
        }
    }

    /// Takes ownership of a piece, keeps the rows that later ones read, and releases the others.
    private void keep(Block piece) {
        behind.add(piece);
        long rows = behind.stream().mapToLong(Block::rows).sum();
        while (!behind.isEmpty() && rows - behind.peek().rows() >= before) {
            rows -= behind.peek().rows();
            behind.poll().close();
        }
        if (rows > before && !behind.isEmpty()) {
            try (Block first = behind.poll()) {
                long kept = first.rows() - (rows - before);
                try (Block slice = first.slice(first.rows() - kept, kept)) {
                    behind.addFirst(Blocks.compact(allocator, slice));
                }
            }
        }
    }

    @Override
    public void close() {
        behind.forEach(Block::close);
        behind.clear();
        waiting.forEach(Block::close);
        waiting.clear();
        carries.values().forEach(AggregateCarry::close);
        carries.clear();
    }
}

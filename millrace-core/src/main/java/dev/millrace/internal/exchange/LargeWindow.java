package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.internal.kernel.sort.KeyBytes;
import dev.millrace.internal.kernel.sort.RowOrder;
import dev.millrace.internal.kernel.window.WindowBlocks;
import dev.millrace.internal.kernel.window.WindowStream;
import dev.millrace.internal.kernel.window.WindowTotals;
import dev.millrace.relation.SortKey;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Window functions over a partition of the exchange that does not fit into memory. It is read several times: keys with
/// few rows are processed some at a time; the rows of a key with very many are sorted range by range, with one pass per
/// range, and are streamed in pieces if the functions allow it.
final class LargeWindow {
    /// How many times a block's maximum size the rows of a window may have.
    private static final int BLOCKS = 2;
    private static final int SAMPLES = 4096;
    /// The number of rows that are streamed at a time, with those that have the same order key.
    private static final int PIECE_ROWS = 1 << 16;

    private final ReduceTask task;
    private final WindowBlocks windows;
    private final BlockShaper shaper;
    private final long mostRows;

    private LargeWindow(ReduceTask task, WindowBlocks windows, BlockShaper shaper, long mostRows) {
        this.task = task;
        this.windows = windows;
        this.shaper = shaper;
        this.mostRows = mostRows;
    }

    /// Does the task's work if it has one partition, by keys, with more rows than should be in memory; else does
    /// nothing.
    ///
    /// @return whether it did
    static boolean reduce(ReduceTask task, WindowBlocks windows, BlockShaper shaper) {
        if (task.partitions() != 1 || windows.window().keys().isEmpty()) {
            return false;
        }
        long most = mostRows(task);
        if (task.rows(0) <= most) {
            return false;
        }
        new LargeWindow(task, windows, shaper, most).reduce();
        return true;
    }

    /// By the size of the rows of the first block.
    private static long mostRows(ReduceTask task) {
        for (int run = 0; run < task.runs(0); run++) {
            for (int i = 0; i < task.blocks(0, run); i++) {
                try (Block block = task.block(0, run, i)) {
                    if (block.rows() > 0) {
                        return Math.max(1, (long) (1.0 * BLOCKS * task.mostBytes() * block.rows() / block.sizeBytes()));
                    }
                }
            }
        }
        return Long.MAX_VALUE;
    }

    private void reduce() {
        Window whole = new Window(List.of(), windows.window().order());
        boolean streams = WindowStream.canStream(whole, windows.functions());
        List<String> keys = windows.window().keys().stream().distinct().toList();
        try (KeyClasses classes = KeyClasses.of(task, keys, mostRows)) {
            for (int number = 0; number < classes.count(); number++) {
                if (number < classes.large() && streams) {
                    stream(classes, number, whole);
                } else {
                    atOnce(classes, number);
                }
            }
        }
    }

    private void atOnce(KeyClasses classes, int number) {
        try {
            List<Block> pieces = new ArrayList<>();
            try {
                select(classes, number, pieces::add);
                if (!pieces.isEmpty()) {
                    try (Block rows = Blocks.concatenate(task.allocator(), pieces)) {
                        pieces.forEach(Block::close);
                        pieces.clear();
                        windows.compute(task.allocator(), rows, piece -> {
                            shaper.add(piece);
                            task.pass(shaper);
                        });
                    }
                }
            } finally {
                pieces.forEach(Block::close);
            }
        } catch (MillraceException e) {
            if (e.culprit() != Culprit.RESOURCES || number >= classes.large()) {
                throw e;
            }
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "window: the partition " + classes.text(number) + " has " + classes.rows(number)
                            + " rows, which do not fit into memory, and " + needAll(windows.functions())
                            + " give the session more memory, or partition by more columns. " + e.getMessage(),
                    e);
        }
    }

    /// The middle of an error sentence about rows that do not fit.
    static String needAll(List<WindowFunction> functions) {
        return functions + " need all of them there. Row numbers, ranks, lag, lead, running aggregates, aggregates of"
                + " the whole and frames of few rows do not: compute those alone,";
    }

    /// The rows of a class block by block, in their order; the taker closes them.
    private void select(KeyClasses classes, int number, Consumer<Block> taker) {
        for (int run = 0; run < task.runs(0); run++) {
            for (int i = 0; i < task.blocks(0, run); i++) {
                task.requireRunning();
                try (Block block = task.block(0, run, i)) {
                    int[] rows = classes.rowsOf(block, number);
                    if (rows.length > 0) {
                        taker.accept(Blocks.take(task.allocator(), block, rows, rows.length));
                    }
                }
            }
        }
    }

    private void stream(KeyClasses classes, int number, Window whole) {
        try (WindowTotals totals = new WindowTotals(task.allocator(), windows.functions())) {
            if (totals.isNeeded()) {
                select(classes, number, block -> {
                    try (block) {
                        totals.add(block);
                    }
                });
            }
            totals.finish();
            try (WindowStream stream =
                    new WindowStream(task.allocator(), whole, windows.functions(), classes.rows(number), totals)) {
                pieces(classes, number, piece -> {
                    stream.add(piece);
                    pass(stream);
                });
                stream.finish();
                pass(stream);
            }
        }
    }

    private void pass(WindowStream stream) {
        for (Block done = stream.poll(); done != null; done = stream.poll()) {
            shaper.add(done);
            task.pass(shaper);
        }
    }

    /// The rows of a key in the window's order, rows with equal order keys in one piece.
    private void pieces(KeyClasses classes, int number, Consumer<Block> taker) {
        List<SortKey> order = windows.window().order();
        if (order.isEmpty()) {
            select(classes, number, taker);
            return;
        }
        List<byte[]> borders = borders(classes, number, order);
        for (int range = 0; range <= borders.size(); range++) {
            byte[] from = range == 0 ? null : borders.get(range - 1);
            byte[] to = range == borders.size() ? null : borders.get(range);
            List<Block> pieces = new ArrayList<>();
            try {
                select(classes, number, block -> {
                    try (block) {
                        within(block, order, from, to, pieces);
                    }
                });
                if (!pieces.isEmpty()) {
                    sorted(pieces, order, taker);
                }
            } finally {
                pieces.forEach(Block::close);
            }
        }
    }

    /// Range boundaries for about as many rows as may be in memory.
    private List<byte[]> borders(KeyClasses classes, int number, List<SortKey> order) {
        List<byte[]> samples = new ArrayList<>();
        long every = Math.max(1, classes.rows(number) / SAMPLES);
        select(classes, number, block -> {
            try (block) {
                KeyBytes keys = KeyBytes.of(block, order);
                for (long row = 0; row < block.rows(); row += every) {
                    samples.add(keys.of(row));
                }
            }
        });
        samples.sort(Arrays::compareUnsigned);
        int ranges = Math.toIntExact((BLOCKS * classes.rows(number) + mostRows - 1) / mostRows);
        List<byte[]> borders = new ArrayList<>();
        for (int i = 1; i < ranges; i++) {
            byte[] border = samples.get((int) ((long) i * samples.size() / ranges));
            if (borders.isEmpty() || Arrays.compareUnsigned(borders.getLast(), border) < 0) {
                borders.add(border);
            }
        }
        return borders;
    }

    private void within(
            Block block, List<SortKey> order, byte @Nullable [] from, byte @Nullable [] to, List<Block> pieces) {
        KeyBytes keys = KeyBytes.of(block, order);
        int[] rows = new int[Math.toIntExact(block.rows())];
        int found = 0;
        for (int row = 0; row < rows.length; row++) {
            byte[] key = keys.of(row);
            if ((from == null || Arrays.compareUnsigned(key, from) >= 0)
                    && (to == null || Arrays.compareUnsigned(key, to) < 0)) {
                rows[found++] = row;
            }
        }
        if (found > 0) {
            pieces.add(Blocks.take(task.allocator(), block, rows, found));
        }
    }

    /// Rows with equal order keys stay together.
    private void sorted(List<Block> pieces, List<SortKey> order, Consumer<Block> taker) {
        try (Block all = Blocks.concatenate(task.allocator(), pieces)) {
            pieces.forEach(Block::close);
            pieces.clear();
            try (RowOrder sorted = RowOrder.of(task.allocator(), all, order)) {
                long from = 0;
                while (from < all.rows()) {
                    long to = Math.min(all.rows(), from + PIECE_ROWS);
                    while (to < all.rows() && sorted.compare(sorted.row(to - 1), sorted.row(to)) == 0) {
                        to++;
                    }
                    int[] positions = new int[Math.toIntExact(to - from)];
                    sorted.copy(from, positions.length, positions);
                    taker.accept(Blocks.take(task.allocator(), all, positions, positions.length));
                    from = to;
                }
            }
        }
    }
}

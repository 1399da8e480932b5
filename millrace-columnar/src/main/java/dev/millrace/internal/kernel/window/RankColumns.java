package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.window.WindowFunction;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Row numbers, ranks and shares.
final class RankColumns implements WindowColumn {
    private final Allocator allocator;
    private final WindowPartitions.Cursor at;
    private final WindowFunction.Numbering function;
    private final @Nullable PiecePosition piece;

    /// @param piece the position of the rows in the one partition that they are a piece of; null for whole partitions
    RankColumns(
            Allocator allocator,
            WindowPartitions partitions,
            WindowFunction.Numbering function,
            @Nullable PiecePosition piece) {
        this.allocator = allocator;
        this.at = partitions.cursor();
        this.function = function;
        this.piece = piece;
    }

    @Override
    public Column next(int from, int to) {
        boolean numbers = switch (function.place()) {
            case ROW_NUMBER, RANK, DENSE_RANK, NTILE -> true;
            case PERCENT_RANK, CUME_DIST -> false;
        };
        DataType type = numbers ? DataType.INT64 : DataType.FLOAT64;
        int rows = to - from;
        if (rows == 0) {
            return Columns.empty(type);
        }
        Buffer data = allocator.allocate((long) rows * Long.BYTES);
        if (numbers) {
            numbers(data.segment(), from, rows);
        } else {
            shares(data.segment(), from, rows);
        }
        return FixedWidthColumn.of(type, rows, data, null, 0, 0);
    }

    private void numbers(MemorySegment data, int from, int rows) {
        WindowFunction.Place place = function.place();
        long before = piece == null ? 0 : piece.before();
        long different = piece == null ? 0 : piece.different();
        for (int i = 0; i < rows; i++) {
            int row = from + i;
            at.move(row);
            long number = switch (place) {
                case ROW_NUMBER -> before + row - at.start() + 1;
                case RANK -> before + at.peersStart() - at.start() + 1;
                case DENSE_RANK -> different + at.groupsBefore() + 1;
                default -> bucket(before + row - at.start(), partitionRows(), function.buckets());
            };
            data.setAtIndex(JAVA_LONG, i, number);
        }
    }

    private long partitionRows() {
        return piece == null ? at.end() - at.start() : piece.rows();
    }

    /// If it does not divide evenly, the first buckets have one row more.
    static long bucket(long row, long rows, long buckets) {
        long size = rows / buckets;
        long larger = rows % buckets;
        long inLarger = larger * (size + 1);
        return row < inLarger ? row / (size + 1) + 1 : larger + (row - inLarger) / size + 1;
    }

    private void shares(MemorySegment data, int from, int rows) {
        boolean ranks = function.place() == WindowFunction.Place.PERCENT_RANK;
        long earlier = piece == null ? 0 : piece.before();
        for (int i = 0; i < rows; i++) {
            at.move(from + i);
            long count = partitionRows();
            long before = earlier + (ranks ? at.peersStart() : at.peersEnd()) - at.start();
            double share = ranks ? count == 1 ? 0 : (double) before / (count - 1) : (double) before / count;
            data.setAtIndex(JAVA_DOUBLE, i, share);
        }
    }

    @Override
    public void close() {
        // Nothing is kept.
    }
}

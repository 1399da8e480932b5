package dev.millrace.internal.iceberg;

import dev.millrace.internal.source.SplitBundles;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Splits planned files: a large one by byte ranges, several small ones into one split.
final class SplitCutter {
    private static final int MAX_FILES = 256;
    /// A smaller range seldom contains a row group.
    private static final long MIN_RANGE = 4 << 20;
    /// The approximate size of a string.
    private static final double WORD = 16;

    private final TableRead read;
    private final boolean exact;
    private final List<Split> splits = new ArrayList<>();
    private final List<PlannedFile> bundle = new ArrayList<>();
    private long bundled;
    private long rowsGiven;

    private SplitCutter(TableRead read) {
        this.read = read;
        this.exact = read.filter() == null && read.limit() == Long.MAX_VALUE;
    }

    static List<Split> cut(TableRead read, List<PlannedFile> files, SplitRequest request) {
        SplitCutter cutter = new SplitCutter(read);
        long bytes = files.stream().mapToLong(PlannedFile::bytes).sum();
        double splitBytes = Math.max(1, (double) bytes / request.parallelism());
        List<PlannedFile> parts = new ArrayList<>();
        for (PlannedFile file : files) {
            if (read.filter() == null && cutter.rowsGiven >= read.limit()) {
                break;
            }
            if (request.exact()) {
                parts.addAll(parts(file, splitBytes));
                cutter.rowsGiven += file.hasDeletes() ? 0 : file.rows();
            } else {
                cutter.add(file, splitBytes);
            }
        }
        if (request.exact()) {
            SplitBundles.of(parts, request.parallelism(), PlannedFile::bytes).forEach(cutter::give);
        }
        cutter.flush();
        return cutter.splits;
    }

    private void add(PlannedFile file, double splitBytes) {
        List<PlannedFile> parts = parts(file, splitBytes);
        if (parts.size() > 1) {
            flush();
            parts.forEach(part -> give(List.of(part)));
        } else {
            bundle.add(file);
            bundled += file.bytes();
            if (bundled >= splitBytes || bundle.size() == MAX_FILES) {
                flush();
            }
        }
        rowsGiven += file.hasDeletes() ? 0 : file.rows();
    }

    private static List<PlannedFile> parts(PlannedFile file, double splitBytes) {
        List<Long> borders = borders(file, splitBytes);
        if (borders.size() == 1) {
            return List.of(file);
        }
        List<PlannedFile> parts = new ArrayList<>();
        for (int i = 0; i < borders.size(); i++) {
            // Together the ranges cover every row group, whatever offsets the table records.
            long from = i == 0 ? 0 : borders.get(i);
            long to = i + 1 < borders.size() ? borders.get(i + 1) : Long.MAX_VALUE;
            parts.add(file.part(from, to));
        }
        return parts;
    }

    /// The start offsets of the parts of a file.
    private static List<Long> borders(PlannedFile file, double splitBytes) {
        List<Long> borders = new ArrayList<>(List.of(0L));
        if (file.bytes() <= 1.5 * splitBytes) {
            return borders;
        }
        if (!file.offsets().isEmpty()) {
            for (long offset : file.offsets()) {
                if (offset - borders.getLast() >= splitBytes * 0.75) {
                    borders.add(offset);
                }
            }
            return borders;
        }
        long step = (long) Math.max(MIN_RANGE, splitBytes);
        for (long from = step; from + step / 2 < file.bytes(); from += step) {
            borders.add(from);
        }
        return borders;
    }

    private void flush() {
        if (!bundle.isEmpty()) {
            give(bundle);
            bundle.clear();
            bundled = 0;
        }
    }

    /// The number of rows of a part of a file is an estimate.
    private void give(List<PlannedFile> files) {
        long rows = files.stream().mapToLong(PlannedFile::rows).sum();
        boolean known = exact && files.stream().noneMatch(file -> file.hasDeletes() || file.isPart());
        splits.add(new IcebergSplit(read, List.copyOf(files), known ? rows : -1, memory(read, rows)));
    }

    /// The estimated bytes of rows in memory.
    static long memory(TableRead read, long rows) {
        return (long) (rows * perRow(read.output()));
    }

    private static double perRow(Schema schema) {
        return schema.fields().stream()
                .mapToDouble(field -> width(field.type()))
                .sum();
    }

    private static double width(DataType type) {
        return switch (type) {
            case DataType.Null _ -> 0;
            case DataType.Bool _ -> 0.25;
            case DataType.Int integer -> integer.bits() / 8.0;
            case DataType.Float real -> real.bits() / 8.0;
            case DataType.Date _ -> 4;
            case DataType.Decimal _ -> 16;
            case DataType.Struct struct -> perRow(Schema.of(struct.fields()));
            case DataType.ListOf list -> 4 + 4 * width(list.element());
            case DataType.MapOf map -> 4 + 4 * (width(map.key()) + width(map.value()));
            case DataType.Utf8 _, DataType.Binary _ -> 4 + WORD;
            case DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _,
                    DataType.Dictionary _,
                    DataType.FixedList _,
                    DataType.Tensor _,
                    DataType.VariableTensor _ -> 8;
        };
    }
}

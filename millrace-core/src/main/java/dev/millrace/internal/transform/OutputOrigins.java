package dev.millrace.internal.transform;

import dev.millrace.block.RowOrigin;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tracks the files that the rows of a task's output were read from, if a task reads several and its steps map each row
/// to one row. One thread.
final class OutputOrigins {
    /// Rows that were read but not emitted yet.
    private final ArrayDeque<RowOrigin> inside = new ArrayDeque<>();

    /// Null before the first.
    private @Nullable String file;
    private long row;

    /// The following rows are read from the beginning of this file.
    void enter(String name) {
        file = name;
        row = 0;
    }

    void read(long rows) {
        if (file != null && rows > 0) {
            inside.addLast(new RowOrigin(file, row, rows));
            row += rows;
        }
    }

    /// The next rows are emitted as a block.
    List<RowOrigin> leave(long rows) {
        if (inside.isEmpty()) {
            return List.of();
        }
        List<RowOrigin> left = new ArrayList<>();
        long missing = rows;
        while (missing > 0 && !inside.isEmpty()) {
            RowOrigin next = inside.removeFirst();
            if (next.rows() > missing) {
                inside.addFirst(new RowOrigin(next.name(), next.firstRow() + missing, next.rows() - missing));
                next = new RowOrigin(next.name(), next.firstRow(), missing);
            }
            missing -= next.rows();
            add(left, next);
        }
        return left;
    }

    private static void add(List<RowOrigin> to, RowOrigin next) {
        RowOrigin last = to.isEmpty() ? null : to.getLast();
        if (last != null && last.name().equals(next.name()) && last.firstRow() + last.rows() == next.firstRow()) {
            to.set(to.size() - 1, new RowOrigin(last.name(), last.firstRow(), last.rows() + next.rows()));
        } else {
            to.add(next);
        }
    }
}

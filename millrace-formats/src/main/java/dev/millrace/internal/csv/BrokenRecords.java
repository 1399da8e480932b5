package dev.millrace.internal.csv;

import dev.millrace.error.MillraceException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.TreeMap;

/// Records that cannot become rows. The first one is an error immediately; once the reader has continued past it, those
/// of a window are collected, so that the good rows among them are parsed together.
final class BrokenRecords {
    private final CsvErrors errors;
    private final TreeMap<Long, String> gathered = new TreeMap<>();
    private final Queue<MillraceException> settled = new ArrayDeque<>();
    private boolean gathers;
    private long thrown = -1;

    BrokenRecords(CsvErrors errors) {
        this.errors = errors;
    }

    /// @param begin the position of the record in the (decompressed) file
    /// @param what one or more sentences
    /// @throws MillraceException culprit DATA, for the first broken record
    void found(long begin, String what) {
        if (!gathers) {
            thrown = begin;
            throw errors.at(begin, what);
        }
        if (begin != thrown) {
            gathered.putIfAbsent(begin, what);
        }
    }

    /// The read continues past the first broken record.
    void gather() {
        gathers = true;
    }

    /// Creates the errors of the collected records, in file order. Called before the window moves on, because lines are
    /// counted in it.
    void settle() {
        gathered.forEach((begin, what) -> settled.add(errors.at(begin, what)));
        gathered.clear();
    }

    /// The next settled error, or null.
    MillraceException next() {
        return settled.poll();
    }
}

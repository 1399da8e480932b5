package dev.millrace.internal.csv;

import dev.millrace.error.MillraceException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.TreeMap;

/// Records that cannot become rows. The first one is an error at once; once whoever reads has gone on behind it, those
/// of a window are gathered, so that the good rows among them are parsed together.
final class BrokenRecords {
    private final CsvErrors errors;
    private final TreeMap<Long, String> gathered = new TreeMap<>();
    private final Queue<MillraceException> settled = new ArrayDeque<>();
    private boolean gathers;
    private long thrown = -1;

    BrokenRecords(CsvErrors errors) {
        this.errors = errors;
    }

    /// @param begin of the record in the (decompressed) file
    /// @param what a sentence, or more
    /// @throws MillraceException culprit DATA, for the first
    void found(long begin, String what) {
        if (!gathers) {
            thrown = begin;
            throw errors.at(begin, what);
        }
        if (begin != thrown) {
            gathered.putIfAbsent(begin, what);
        }
    }

    /// The read goes on behind the first.
    void gather() {
        gathers = true;
    }

    /// Makes errors of those that were gathered, in the file's order. Before the window moves on, since lines are
    /// counted in it.
    void settle() {
        gathered.forEach((begin, what) -> settled.add(errors.at(begin, what)));
        gathered.clear();
    }

    /// The next of those that were settled, or null.
    MillraceException next() {
        return settled.poll();
    }
}

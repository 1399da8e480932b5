package dev.millrace.internal.textfile;

import dev.millrace.memory.Allocator;
import dev.millrace.source.FileRange;

/// Finds the line numbers of a reader's errors. Lines are counted from the start of the file for the first error, and
/// then on in what the reader has in memory, so it must report each move. One thread.
public final class LineNumbers {
    private final FileRange range;
    private final TextInput in;
    private final Allocator allocator;
    /// The position up to which line ends have been counted; -1 if none have.
    private long counted = -1;

    private long ends;

    public LineNumbers(FileRange range, TextInput in, Allocator allocator) {
        this.range = range;
        this.in = in;
        this.allocator = allocator;
    }

    /// "'a.json', line 3, byte 117", without the line if it is too far away or cannot be found.
    public String where(int at) {
        long place = in.place(at);
        if (counted < 0) {
            ends = LineCount.lineEnds(range, place, allocator);
            counted = ends < 0 ? -1 : place;
        } else {
            countTo(at);
        }
        return "'" + range.path() + "', " + (counted < 0 ? "" : "line " + (1 + ends) + ", ") + "byte " + place;
    }

    /// Called before the bytes before `keep` are dropped from memory.
    public void leave(int keep) {
        if (counted >= 0 && counted < in.place(keep)) {
            countTo(keep);
        }
    }

    private void countTo(int at) {
        byte[] bytes = in.bytes();
        int from = (int) (counted - in.place(0));
        for (int i = from; i < at; i++) {
            ends += bytes[i] == '\n' ? 1 : 0;
        }
        for (int i = at; i < from; i++) {
            ends -= bytes[i] == '\n' ? 1 : 0;
        }
        counted = in.place(at);
    }
}

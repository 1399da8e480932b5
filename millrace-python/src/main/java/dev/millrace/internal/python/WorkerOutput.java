package dev.millrace.internal.python;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/// Shows what a worker prints, each line behind the name of its operator, on standard error. A worker that prints very
/// much is shown in part; it never waits for a reader. The last lines are kept for the report of its end.
final class WorkerOutput {
    private static final int LONGEST_LINE = 4096;
    private static final int KEPT_LINES = 10;
    /// Bytes that are shown in each second.
    private static final long SHOWN = 64 << 10;

    private static final long SECOND = 1_000_000_000L;

    private final String operator;
    private final LongSupplier clock;
    private final ArrayDeque<String> last = new ArrayDeque<>();
    private long since;
    private long shown;
    private long leftOut;

    WorkerOutput(String operator, LongSupplier clock) {
        this.operator = operator;
        this.clock = clock;
        this.since = clock.getAsLong();
    }

    /// Reads to the end, on the calling thread.
    void follow(InputStream in) {
        byte[] buffer = new byte[1 << 16];
        byte[] line = new byte[LONGEST_LINE];
        int length = 0;
        try (in) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    if (buffer[i] == '\n') {
                        line(new String(line, 0, length, StandardCharsets.UTF_8));
                        length = 0;
                    } else if (length < line.length) {
                        line[length++] = buffer[i];
                    }
                }
            }
        } catch (IOException _) {
            // The process has ended.
        }
        if (length > 0) {
            line(new String(line, 0, length, StandardCharsets.UTF_8));
        }
        tellLeftOut();
    }

    private synchronized void line(String text) {
        last.addLast(text);
        if (last.size() > KEPT_LINES) {
            last.removeFirst();
        }
        if (clock.getAsLong() - since > SECOND) {
            tellLeftOut();
            since = clock.getAsLong();
            shown = 0;
        }
        shown += text.length() + 1;
        if (shown <= SHOWN) {
            System.err.println("[" + operator + "] " + text);
        } else {
            leftOut++;
        }
    }

    private synchronized void tellLeftOut() {
        if (leftOut > 0) {
            System.err.println("[" + operator + "] " + leftOut
                    + " more lines were left out: 64 KiB of what a worker prints are shown in a second.");
            leftOut = 0;
        }
    }

    /// " It printed last: ...", or nothing.
    synchronized String lastWords() {
        return last.isEmpty() ? "" : " It printed last: " + String.join("\n", last);
    }
}

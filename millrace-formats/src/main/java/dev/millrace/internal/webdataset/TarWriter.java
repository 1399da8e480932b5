package dev.millrace.internal.webdataset;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.binary.OutputWindow;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Writes the members of a tar archive: ustar headers, preceded by a pax header if a name or size needs one.
final class TarWriter {
    private static final int BLOCK = TarReader.BLOCK;
    private static final int MAX_NAME = 100;
    private static final long MAX_SIZE = 0x1_FFFF_FFFFL;

    private final OutputWindow out;
    private final long seconds;
    private long left;

    /// @param seconds since 1970, the modification time of all members
    TarWriter(OutputWindow out, long seconds) {
        this.out = out;
        this.seconds = seconds;
    }

    /// Begins a member; the caller then writes its bytes to the output.
    void begin(byte[] name, long size) throws IOException {
        if (name.length > MAX_NAME || size > MAX_SIZE || !isAscii(name)) {
            byte[] extended = pax(name, size);
            header("././@PaxHeader".getBytes(StandardCharsets.US_ASCII), extended.length, 'x');
            out.put(extended);
            pad(extended.length);
        }
        header(name, size, '0');
        left = size;
    }

    /// Ends the member.
    void end() throws IOException {
        pad(left);
    }

    /// Ends the archive.
    void finish() throws IOException {
        out.zeros(2 * BLOCK);
    }

    private void pad(long size) throws IOException {
        out.zeros((int) (-size & BLOCK - 1));
    }

    private static boolean isAscii(byte[] name) {
        for (byte c : name) {
            if (c < 0) {
                return false;
            }
        }
        return true;
    }

    private static byte[] pax(byte[] name, long size) {
        String text = record("path", new String(name, StandardCharsets.UTF_8), name.length)
                + (size > MAX_SIZE
                        ? record(
                                "size", Long.toString(size), Long.toString(size).length())
                        : "");
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// The length includes its own digits.
    private static String record(String key, String value, int valueBytes) {
        int rest = key.length() + valueBytes + 3;
        int length = rest + Integer.toString(rest).length();
        if (Integer.toString(length).length() > Integer.toString(rest).length()) {
            length++;
        }
        return length + " " + key + "=" + value + "\n";
    }

    private void header(byte[] name, long size, char type) throws IOException {
        out.zeros(BLOCK);
        MemorySegment window = out.window();
        long at = out.at() - BLOCK;
        MemorySegment.copy(name, 0, window, JAVA_BYTE, at, Math.min(name.length, MAX_NAME));
        octal(window, at + 100, 7, 0444);
        octal(window, at + 108, 7, 0);
        octal(window, at + 116, 7, 0);
        octal(window, at + 124, 11, size > MAX_SIZE ? 0 : size);
        octal(window, at + 136, 11, seconds);
        window.set(JAVA_BYTE, at + 156, (byte) type);
        byte[] magic = {'u', 's', 't', 'a', 'r', 0, '0', '0'};
        MemorySegment.copy(magic, 0, window, JAVA_BYTE, at + 257, magic.length);
        int sum = 8 * ' ';
        for (int i = 0; i < BLOCK; i++) {
            sum += window.get(JAVA_BYTE, at + i) & 0xFF;
        }
        octal(window, at + 148, 6, sum);
        window.set(JAVA_BYTE, at + 155, (byte) ' ');
    }

    private static void octal(MemorySegment window, long at, int digits, long value) {
        long rest = value;
        for (int i = digits - 1; i >= 0; i--) {
            window.set(JAVA_BYTE, at + i, (byte) ('0' + (rest & 7)));
            rest >>>= 3;
        }
    }
}

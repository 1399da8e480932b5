package dev.millrace.internal.json;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Buffers JSON text and writes it to a channel. One thread.
public final class JsonSink {
    private static final int FLUSH_BYTES = 128 << 10;
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private final @Nullable WritableByteChannel out;
    private byte[] bytes = new byte[FLUSH_BYTES + (8 << 10)];
    private int at;

    public JsonSink(@Nullable WritableByteChannel out) {
        this.out = out;
    }

    /// Writes the buffered text if there is much of it.
    public void endRow() throws IOException {
        if (at >= FLUSH_BYTES) {
            flush();
        }
    }

    public void flush() throws IOException {
        WritableByteChannel out = Objects.requireNonNull(this.out, "a sink without a channel is read by toArray");
        ByteBuffer all = ByteBuffer.wrap(bytes, 0, at);
        while (all.hasRemaining()) {
            out.write(all);
        }
        at = 0;
    }

    /// Discards the buffered text.
    public void clear() {
        at = 0;
    }

    public byte[] toArray() {
        return Arrays.copyOf(bytes, at);
    }

    /// Returns the buffered text and clears it.
    public byte[] take() {
        byte[] taken = toArray();
        at = 0;
        return taken;
    }

    private void need(long count) {
        if (at + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(at + count, 2L * bytes.length)));
        }
    }

    public void put(int character) {
        need(1);
        bytes[at++] = (byte) character;
    }

    public void put(byte[] text) {
        need(text.length);
        System.arraycopy(text, 0, bytes, at, text.length);
        at += text.length;
    }

    /// Appends ASCII text without characters to escape.
    @SuppressWarnings("deprecation") // the only way to copy a string's bytes without making an array
    public void put(String text) {
        int length = text.length();
        need(length);
        text.getBytes(0, length, bytes, at);
        at += length;
    }

    public void putQuoted(String text) {
        put('"');
        put(text);
        put('"');
    }

    public void put(long value) {
        need(20);
        if (value == Long.MIN_VALUE) {
            put("-9223372036854775808");
            return;
        }
        long rest = value;
        if (rest < 0) {
            bytes[at++] = '-';
            rest = -rest;
        }
        int digits = 1;
        for (long power = 10; digits < 19 && rest >= power; power *= 10) {
            digits++;
        }
        for (int i = at + digits - 1; i >= at; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        at += digits;
    }

    /// Appends a string of UTF-8 bytes, quoted and escaped.
    public void putText(MemorySegment source, long from, long length) {
        need(length + 2);
        bytes[at++] = '"';
        int start = at;
        MemorySegment.copy(source, JAVA_BYTE, from, bytes, at, (int) length);
        at += (int) length;
        for (int i = start; i < at; i++) {
            byte c = bytes[i];
            if (c >= 0 && c < ' ' || c == '"' || c == '\\') {
                escape(i);
                break;
            }
        }
        put('"');
    }

    /// Escapes what was appended from a position on.
    private void escape(int from) {
        byte[] plain = Arrays.copyOfRange(bytes, from, at);
        at = from;
        for (byte c : plain) {
            need(6);
            switch (c) {
                case '"', '\\' -> escaped(c);
                case '\n' -> escaped('n');
                case '\r' -> escaped('r');
                case '\t' -> escaped('t');
                case '\b' -> escaped('b');
                case '\f' -> escaped('f');
                default -> {
                    if (c >= 0 && c < ' ') {
                        escaped('u');
                        bytes[at++] = '0';
                        bytes[at++] = '0';
                        bytes[at++] = HEX[c >> 4];
                        bytes[at++] = HEX[c & 15];
                    } else {
                        bytes[at++] = c;
                    }
                }
            }
        }
    }

    private void escaped(int character) {
        bytes[at++] = '\\';
        bytes[at++] = (byte) character;
    }
}

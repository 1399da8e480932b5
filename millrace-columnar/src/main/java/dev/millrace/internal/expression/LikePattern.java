package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A pattern of SQL's LIKE, matched against UTF-8 in memory: `%` is any text, `_` any code point.
///
/// The pattern is split at its `%`s. The first part must match at the beginning and the last at the end; the parts
/// between are matched one after the other at their first occurrence: since each has a fixed number of code points, the
/// first occurrence leaves the most text for the following parts.
final class LikePattern {
    /// The wildcard byte in [Part#bytes], where [Part#wild] is set.
    private static final byte ANY = 0;

    private final Part first;
    private final List<Part> middle;
    /// Null if the pattern has no `%`.
    private final @Nullable Part last;

    private record Part(byte[] bytes, boolean[] wild) {
        int length() {
            return bytes.length;
        }
    }

    /// @param escape the code point that makes the next one literal, or -1
    /// @throws IllegalArgumentException if the pattern ends with it
    LikePattern(String pattern, int escape) {
        List<Part> parts = new ArrayList<>();
        PartBuilder part = new PartBuilder();
        int[] points = pattern.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            int point = points[i];
            if (point == escape) {
                i++;
                if (i == points.length) {
                    throw new IllegalArgumentException("it ends with the escape character");
                }
                part.plain(points[i]);
            } else if (point == '%') {
                parts.add(part.build());
                part = new PartBuilder();
            } else if (point == '_') {
                part.wild();
            } else {
                part.plain(point);
            }
        }
        parts.add(part.build());
        first = parts.getFirst();
        last = parts.size() == 1 ? null : parts.getLast();
        middle = parts.size() < 3
                ? List.of()
                : parts.subList(1, parts.size() - 1).stream()
                        .filter(p -> p.length() > 0)
                        .toList();
    }

    private static final class PartBuilder {
        private final List<Byte> bytes = new ArrayList<>();
        private final List<Boolean> wild = new ArrayList<>();

        void plain(int point) {
            for (byte b : Character.toString(point).getBytes(StandardCharsets.UTF_8)) {
                bytes.add(b);
                wild.add(false);
            }
        }

        void wild() {
            bytes.add(ANY);
            wild.add(true);
        }

        Part build() {
            byte[] all = new byte[bytes.size()];
            boolean[] any = new boolean[all.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = bytes.get(i);
                any[i] = wild.get(i);
            }
            return new Part(all, any);
        }
    }

    boolean matches(MemorySegment data, long start, long end) {
        long at = forward(first, data, start, end);
        if (at < 0 || last == null) {
            return at == end;
        }
        long to = backward(last, data, at, end);
        for (Part part : middle) {
            if (to < 0) {
                return false;
            }
            at = find(part, data, at, to);
            if (at < 0) {
                return false;
            }
        }
        return to >= 0;
    }

    /// The end of the first occurrence, or -1.
    private static long find(Part part, MemorySegment data, long from, long end) {
        boolean wild = part.wild[0];
        byte head = part.bytes[0];
        for (long at = from; at < end; at++) {
            byte b = data.get(JAVA_BYTE, at);
            if (wild ? !continues(b) : b == head) {
                long to = forward(part, data, at, end);
                if (to >= 0) {
                    return to;
                }
            }
        }
        return -1;
    }

    /// The end of the part if it matches at `start`, or -1.
    private static long forward(Part part, MemorySegment data, long start, long end) {
        long at = start;
        for (int i = 0; i < part.length(); i++) {
            if (at >= end) {
                return -1;
            }
            byte b = data.get(JAVA_BYTE, at);
            at++;
            if (part.wild[i]) {
                while (at < end && continues(data.get(JAVA_BYTE, at))) {
                    at++;
                }
            } else if (b != part.bytes[i]) {
                return -1;
            }
        }
        return at;
    }

    /// The beginning of the part if it ends at `end`, or -1 if it does not match or would begin before `start`.
    private static long backward(Part part, MemorySegment data, long start, long end) {
        long at = end;
        for (int i = part.length() - 1; i >= 0; i--) {
            at--;
            if (at < start) {
                return -1;
            }
            if (part.wild[i]) {
                while (at > start && continues(data.get(JAVA_BYTE, at))) {
                    at--;
                }
            } else if (data.get(JAVA_BYTE, at) != part.bytes[i]) {
                return -1;
            }
        }
        return at;
    }

    private static boolean continues(byte b) {
        return (b & 0xC0) == 0x80;
    }
}

package dev.millrace.internal.jsonfile;

import org.jspecify.annotations.Nullable;

/// The layout of the records in a file.
enum JsonShape {
    /// Objects, each within one line.
    LINES,
    /// Concatenated objects, with or without line ends within and between them.
    VALUES,
    /// One array of objects.
    ARRAY;

    /// Detects the shape from the beginning of a file; null if it is too short to tell.
    ///
    /// @param whole the bytes are the whole file
    static @Nullable JsonShape of(byte[] bytes, int limit, boolean whole) {
        int at = 0;
        while (at < limit && (isSpace(bytes[at]) || at < 3 && isByteOrderMark(bytes[at]))) {
            at++;
        }
        if (at == limit) {
            return whole ? LINES : null;
        }
        if (bytes[at] == '[') {
            return ARRAY;
        }
        int depth = 0;
        boolean quoted = false;
        boolean lines = false;
        for (; at < limit; at++) {
            byte c = bytes[at];
            if (quoted) {
                if (c == '\\') {
                    at++;
                } else if (c == '"') {
                    quoted = false;
                }
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            } else if (c == '\n') {
                if (depth > 0) {
                    return VALUES;
                }
                lines = true;
            }
        }
        return lines || whole ? LINES : null;
    }

    static boolean isSpace(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    static boolean isByteOrderMark(byte c) {
        return c == (byte) 0xEF || c == (byte) 0xBB || c == (byte) 0xBF;
    }
}

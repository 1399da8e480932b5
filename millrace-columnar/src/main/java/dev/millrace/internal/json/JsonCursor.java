package dev.millrace.internal.json;

import static dev.millrace.internal.json.JsonSyntaxException.MORE;
import static dev.millrace.internal.json.JsonSyntaxException.wrong;

import dev.millrace.internal.text.TextWords;
import dev.millrace.internal.text.Utf8Arrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// A cursor over the tokens of JSON text in an array. Methods take the position of a token and return the position
/// after it. One thread.
///
/// The text is followed by [TextWords#PADDING] zeros, which occur in no token, so that the end is checked only when a
/// zero is found.
public final class JsonCursor {
    /// The maximum nesting depth of arrays and objects.
    public static final int MAX_DEPTH = 200;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long QUOTES = EACH * '"';
    private static final long BACKSLASHES = EACH * '\\';
    private static final long CONTROLS = EACH * 0x20;
    private static final int NULL = 'n' | 'u' << 8 | 'l' << 16 | 'l' << 24;
    private static final int TRUE = 't' | 'r' << 8 | 'u' << 16 | 'e' << 24;
    private static final int ALSE = 'a' | 'l' << 8 | 's' << 16 | 'e' << 24;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    public byte[] bytes = new byte[TextWords.PADDING];
    public int limit;

    /// Whether a line end was passed since this was set to false.
    public boolean passedLineEnd;

    /// The memory that contains the text of the last [#string]: `bytes`, or other memory if it was unescaped.
    public byte[] text = {};

    public int textFrom;
    public int textTo;
    private byte[] scratch = new byte[256];

    /// Skips spaces, tabs and line ends.
    public int skipSpace(int from) {
        byte[] b = bytes;
        int at = from;
        while (b[at] <= ' ') {
            int c = b[at];
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                if (c >= 0) {
                    ended(at);
                }
                break;
            }
            passedLineEnd |= c == '\n';
            at++;
        }
        return at;
    }

    /// Throws for a byte that begins no token.
    private void ended(int at) {
        if (at >= limit) {
            throw MORE;
        }
        throw wrong("there is a control character (" + bytes[at] + ")", at);
    }

    public JsonSyntaxException unexpected(String wanted, int at) {
        if (at >= limit) {
            return MORE;
        }
        int c = bytes[at] & 0xFF;
        return wrong(wanted + (c > 0x20 && c < 0x7F ? ", not '" + (char) c + "'" : ""), at);
    }

    /// Skips a colon and the spaces around it.
    public int colon(int from) {
        byte[] b = bytes;
        int at = from;
        if (b[at] != ':') {
            at = skipSpace(at);
            if (b[at] != ':') {
                throw unexpected("a colon should follow the key", at);
            }
        }
        at++;
        return b[at] > ' ' ? at : skipSpace(at);
    }

    public boolean isNull(int at) {
        return bytes[at] == 'n';
    }

    public int passNull(int at) {
        if ((int) INT.get(bytes, at) != NULL) {
            throw unknownWord(at);
        }
        return endOfWord(at + 4);
    }

    public int passBoolean(int at) {
        if ((int) INT.get(bytes, at) == TRUE) {
            return endOfWord(at + 4);
        }
        if (bytes[at] == 'f' && (int) INT.get(bytes, at + 1) == ALSE) {
            return endOfWord(at + 5);
        }
        throw unknownWord(at);
    }

    /// The byte after a word determines whether it ends there, so it must be available, or the text must have ended.
    private int endOfWord(int at) {
        int c = bytes[at];
        if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_') {
            throw wrong("there is a word that JSON does not know", at);
        }
        return at;
    }

    public JsonSyntaxException unknownWord(int at) {
        for (int i = at; i < at + 10; i++) {
            if (i >= limit) {
                return MORE;
            }
            if (!Character.isLetter(bytes[i])) {
                break;
            }
        }
        return unexpected("there should be a value", at);
    }

    /// The end of a string whose opening quote is at `from`; the text is in [#text].
    public int string(int from) {
        byte[] b = bytes;
        int at = from + 1;
        boolean ascii = true;
        while (true) {
            long word = (long) WORD.get(b, at);
            long quotes = word ^ QUOTES;
            long backslashes = word ^ BACKSLASHES;
            // The lowest set bit is exact; higher ones may come from borrows and are ignored.
            long special = ((quotes - EACH) & ~quotes | (backslashes - EACH) & ~backslashes | (word - CONTROLS) & ~word)
                    & HIGH_BITS;
            if (special == 0) {
                ascii &= (word & HIGH_BITS) == 0;
                at += 8;
                if (at > limit) {
                    throw MORE;
                }
                continue;
            }
            int skip = Long.numberOfTrailingZeros(special) >>> 3;
            ascii &= (word & HIGH_BITS & (1L << 8 * skip) - 1) == 0;
            at += skip;
            break;
        }
        if (b[at] != '"') {
            return b[at] == '\\' ? escaped(from, at) : control(at);
        }
        if (!ascii) {
            requireUtf8(from + 1, at);
        }
        text = b;
        textFrom = from + 1;
        textTo = at;
        return at + 1;
    }

    private int control(int at) {
        if (at >= limit) {
            throw MORE;
        }
        throw wrong(
                bytes[at] == '\n'
                        ? "a string goes over the end of the line"
                        : "a string has a control character (" + bytes[at] + ") that is not escaped",
                at);
    }

    private void requireUtf8(int from, int to) {
        int bad = Utf8Arrays.firstWrong(bytes, from, to);
        if (bad < to) {
            throw wrong("a string is not UTF-8", bad);
        }
    }

    /// A string whose first backslash is at `first`.
    private int escaped(int from, int first) {
        byte[] b = bytes;
        int end = endOfString(first);
        requireUtf8(from + 1, end);
        int most = end - from;
        if (scratch.length < most) {
            scratch = new byte[Math.max(most, 2 * scratch.length)];
        }
        byte[] to = scratch;
        int count = first - from - 1;
        System.arraycopy(b, from + 1, to, 0, count);
        int at = first;
        while (at < end) {
            byte c = b[at++];
            if (c != '\\') {
                to[count++] = c;
                continue;
            }
            c = b[at++];
            switch (c) {
                case '"', '\\', '/' -> to[count++] = c;
                case 'b' -> to[count++] = '\b';
                case 'f' -> to[count++] = '\f';
                case 'n' -> to[count++] = '\n';
                case 'r' -> to[count++] = '\r';
                case 't' -> to[count++] = '\t';
                case 'u' -> {
                    int code = hex(at, end);
                    at += 4;
                    if (Character.isSurrogate((char) code)) {
                        boolean paired = code < 0xDC00 && at + 6 <= end && b[at] == '\\' && b[at + 1] == 'u';
                        int low = paired ? hex(at + 2, end) : 0;
                        if (low < 0xDC00 || low > 0xDFFF) {
                            throw wrong("a string has half of a surrogate pair", at - 6);
                        }
                        code = Character.toCodePoint((char) code, (char) low);
                        at += 6;
                    }
                    count = Utf8Arrays.put(to, count, code);
                }
                default -> throw wrong("a string has an escape that JSON does not know", at - 2);
            }
        }
        text = to;
        textFrom = 0;
        textTo = count;
        return end + 1;
    }

    private int hex(int at, int end) {
        int value = 0;
        for (int i = at; i < at + 4; i++) {
            int digit = i < end ? Character.digit(bytes[i], 16) : -1;
            if (digit < 0) {
                throw wrong("four hexadecimal digits should follow \\u", at);
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /// The position of the closing quote of a string, searched from a position in it that is not preceded by a
    /// backslash.
    private int endOfString(int from) {
        byte[] b = bytes;
        int at = from;
        while (true) {
            byte c = b[at];
            if (c == '"') {
                return at;
            }
            if (c >= 0 && c < 0x20) {
                control(at);
            }
            if (c == '\\') {
                at++;
                passedLineEnd |= b[at] == '\n';
            }
            at++;
            if (at > limit) {
                throw MORE;
            }
        }
    }

    /// The position after any value, which is not validated.
    public int skipValue(int from) {
        byte c = bytes[from];
        return switch (c) {
            case '"' -> skipString(from);
            case '{', '[' -> skipNested(from);
            case 'n' -> passNull(from);
            case 't', 'f' -> passBoolean(from);
            default -> JsonNumbers.end(this, from);
        };
    }

    private int skipString(int from) {
        byte[] b = bytes;
        int at = from + 1;
        while (true) {
            long word = (long) WORD.get(b, at);
            long quotes = word ^ QUOTES;
            long backslashes = word ^ BACKSLASHES;
            long special = ((quotes - EACH) & ~quotes | (backslashes - EACH) & ~backslashes | (word - CONTROLS) & ~word)
                    & HIGH_BITS;
            if (special != 0) {
                at += Long.numberOfTrailingZeros(special) >>> 3;
                return (b[at] == '"' ? at : b[at] == '\\' ? endOfString(at) : control(at)) + 1;
            }
            at += 8;
            if (at > limit) {
                throw MORE;
            }
        }
    }

    private int skipNested(int from) {
        byte[] b = bytes;
        long[] objects = new long[MAX_DEPTH / 64 + 1];
        int depth = 0;
        int at = from;
        while (true) {
            byte c = b[at];
            switch (c) {
                case '"' -> at = skipString(at);
                case '{', '[' -> {
                    requireDepth(depth, at);
                    long bit = 1L << depth;
                    objects[depth >>> 6] = c == '{' ? objects[depth >>> 6] | bit : objects[depth >>> 6] & ~bit;
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    if ((c == '}') != ((objects[depth >>> 6] >>> depth & 1) != 0)) {
                        throw unexpected("brackets do not match", at);
                    }
                    at++;
                    if (depth == 0) {
                        return at;
                    }
                }
                default -> {
                    if (c >= 0 && c < ' ') {
                        if (at >= limit) {
                            throw MORE;
                        }
                        passedLineEnd |= c == '\n';
                    }
                    at++;
                }
            }
        }
    }

    public void requireDepth(int depth, int at) {
        if (depth >= MAX_DEPTH) {
            throw wrong("arrays and objects lie more than " + MAX_DEPTH + " deep in each other", at);
        }
    }

    /// The kind of value that begins at a position, in words for errors.
    public String kindAt(int at) {
        return switch (bytes[at]) {
            case '"' -> "a string";
            case '{' -> "an object";
            case '[' -> "an array";
            case 't', 'f' -> "a boolean";
            case 'n' -> "null";
            default -> "a number";
        };
    }

    /// The text of a value for errors, shortened if it is long.
    public String excerpt(int from) {
        int end = skipValue(from);
        int to = Math.min(end, from + 40);
        while (to < end && (bytes[to] & 0xC0) == 0x80) {
            to--;
        }
        return new String(bytes, from, to - from, StandardCharsets.UTF_8) + (to < end ? "..." : "");
    }
}

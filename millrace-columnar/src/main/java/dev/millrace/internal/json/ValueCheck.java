package dev.millrace.internal.json;

import static dev.millrace.internal.json.JsonSyntaxException.MORE;
import static dev.millrace.internal.json.JsonSyntaxException.wrong;

/// Skips values and validates them: for values that are kept as text.
final class ValueCheck {
    private ValueCheck() {}

    /// The position after the value.
    static int pass(JsonCursor in, int at, int depth) {
        return switch (in.bytes[at]) {
            case '"' -> in.string(at);
            case '[' -> array(in, at, depth);
            case '{' -> object(in, at, depth);
            case 'n' -> in.passNull(at);
            case 't', 'f' -> in.passBoolean(at);
            default -> number(in, at);
        };
    }

    private static int array(JsonCursor in, int from, int depth) {
        in.requireDepth(depth, from);
        int at = in.skipSpace(from + 1);
        boolean more = in.bytes[at] != ']';
        while (more) {
            at = in.skipSpace(pass(in, at, depth + 1));
            more = in.bytes[at] == ',';
            at = more ? in.skipSpace(at + 1) : at;
        }
        if (in.bytes[at] != ']') {
            throw in.unexpected("a comma or ']' should follow", at);
        }
        return at + 1;
    }

    private static int object(JsonCursor in, int from, int depth) {
        in.requireDepth(depth, from);
        int at = in.skipSpace(from + 1);
        boolean more = in.bytes[at] != '}';
        while (more) {
            if (in.bytes[at] != '"') {
                throw in.unexpected("a key in quotes should follow", at);
            }
            at = in.skipSpace(pass(in, in.colon(in.string(at)), depth + 1));
            more = in.bytes[at] == ',';
            at = more ? in.skipSpace(at + 1) : at;
        }
        if (in.bytes[at] != '}') {
            throw in.unexpected("a comma or '}' should follow", at);
        }
        return at + 1;
    }

    /// A number of any size: a text keeps all digits.
    private static int number(JsonCursor in, int from) {
        byte[] b = in.bytes;
        int start = b[from] == '-' ? from + 1 : from;
        if (b[start] < '0' || b[start] > '9') {
            return new JsonNumbers().named(in, from, start, start > from);
        }
        int at = digits(in, start);
        if (at - start > 1 && b[start] == '0') {
            throw wrong("a number begins with a zero", start);
        }
        if (b[at] == '.') {
            at = digits(in, at + 1);
        }
        if ((b[at] | 0x20) == 'e') {
            at++;
            at = digits(in, b[at] == '-' || b[at] == '+' ? at + 1 : at);
        }
        if (at >= in.limit) {
            throw MORE;
        }
        return at;
    }

    private static int digits(JsonCursor in, int from) {
        int at = from;
        while (in.bytes[at] >= '0' && in.bytes[at] <= '9') {
            at++;
        }
        if (at == from) {
            throw in.unexpected("a digit should follow", at);
        }
        return at;
    }
}

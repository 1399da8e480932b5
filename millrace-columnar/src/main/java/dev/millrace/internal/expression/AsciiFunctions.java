package dev.millrace.internal.expression;

import dev.millrace.column.StringColumnBuilder;
import dev.millrace.internal.text.TextBytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Functions of one ASCII text over its bytes. Each has the meaning of its counterpart over Java's strings; null where
/// the arguments leave no such function.
final class AsciiFunctions {
    private AsciiFunctions() {}

    /// A text from a text, of which eight bytes or more follow.
    @FunctionalInterface
    interface ToText {
        /// @return false if the result is null
        boolean apply(byte[] text, int length, TextBytes out);
    }

    /// A number from a text, of which eight bytes or more follow.
    @FunctionalInterface
    interface ToNumber {
        int apply(byte[] text, int length);
    }

    /// A list of texts from a text, of which eight bytes or more follow.
    @FunctionalInterface
    interface ToList {
        void apply(byte[] text, int length, StringColumnBuilder out);
    }

    static @Nullable ToText replace(String part, String replacement) {
        byte[] from = AsciiText.utf8(part);
        byte[] to = AsciiText.utf8(replacement);
        if (from == null || to == null || from.length == 0) {
            return null;
        }
        return (text, length, out) -> {
            int copied = 0;
            for (int at = AsciiText.find(text, 0, length, from);
                    at >= 0;
                    at = AsciiText.find(text, copied, length, from)) {
                out.append(text, copied, at - copied);
                out.append(to);
                copied = at + from.length;
            }
            out.append(text, copied, length - copied);
            return true;
        };
    }

    /// As [TextCharacters#part].
    static @Nullable ToText part(String separator, int index) {
        byte[] between = AsciiText.utf8(separator);
        if (between == null || between.length == 0) {
            return null;
        }
        return (text, length, out) -> {
            long wanted = index < 0 ? (long) count(text, length, between) + 1 + index : index;
            int from = 0;
            for (long i = 0; i < wanted; i++) {
                int at = AsciiText.find(text, from, length, between);
                if (at < 0) {
                    return true;
                }
                from = at + between.length;
            }
            int end = wanted < 0 ? 0 : AsciiText.find(text, from, length, between);
            out.append(text, from, (end < 0 ? length : end) - from);
            return true;
        };
    }

    /// As [TextCharacters#count(String, String)].
    static @Nullable ToNumber count(String part) {
        byte[] wanted = AsciiText.utf8(part);
        return wanted == null || wanted.length == 0 ? null : (text, length) -> count(text, length, wanted);
    }

    private static int count(byte[] text, int length, byte[] part) {
        int count = 0;
        for (int at = AsciiText.find(text, 0, length, part);
                at >= 0;
                at = AsciiText.find(text, at + part.length, length, part)) {
            count++;
        }
        return count;
    }

    static @Nullable ToNumber indexOf(String part) {
        byte[] wanted = AsciiText.utf8(part);
        return wanted == null || wanted.length == 0 ? null : (text, length) -> AsciiText.find(text, 0, length, wanted);
    }

    static @Nullable ToList split(String separator) {
        byte[] between = AsciiText.utf8(separator);
        if (between == null || between.length == 0) {
            return null;
        }
        return (text, length, out) -> {
            int from = 0;
            for (int at = AsciiText.find(text, 0, length, between);
                    at >= 0;
                    at = AsciiText.find(text, from, length, between)) {
                out.append(text, from, at - from);
                from = at + between.length;
            }
            out.append(text, from, length - from);
        };
    }

    /// @param width the number of characters of the result
    static @Nullable ToText pad(int width, String fill, boolean left) {
        byte[] filling = AsciiText.utf8(fill);
        if (filling == null || filling.length != fill.length()) {
            return null;
        }
        int most = Math.max(0, width);
        return (text, length, out) -> {
            if (!left) {
                out.append(text, 0, Math.min(length, most));
            }
            for (int i = 0; i < most - length; i++) {
                out.append(filling[i % filling.length]);
            }
            if (left) {
                out.append(text, 0, Math.min(length, most));
            }
            return true;
        };
    }

    static boolean reverse(byte[] text, int length, TextBytes out) {
        for (int i = length - 1; i >= 0; i--) {
            out.append(text[i]);
        }
        return true;
    }

    /// Replaces one match, or all.
    static @Nullable ToText replace(@Nullable OnePassPattern pattern, String replacement, boolean all) {
        List<Part> parts = pattern == null ? null : parts(replacement, pattern.groups());
        if (pattern == null || parts == null) {
            return null;
        }
        Part[] expansion = parts.toArray(Part[]::new);
        return (text, length, out) -> {
            int copied = 0;
            int from = 0;
            while (from <= length && pattern.find(text, length, from)) {
                out.append(text, copied, pattern.start(0) - copied);
                for (Part part : expansion) {
                    if (part.group < 0) {
                        out.append(part.text);
                    } else {
                        out.append(
                                text, pattern.start(part.group), pattern.end(part.group) - pattern.start(part.group));
                    }
                }
                copied = pattern.end(0);
                from = all ? pattern.next() : length + 1;
            }
            out.append(text, copied, length - copied);
            return true;
        };
    }

    static @Nullable ToText extract(@Nullable OnePassPattern pattern, int group) {
        return pattern == null
                ? null
                : (text, length, out) -> {
                    boolean found = pattern.find(text, length, 0);
                    if (found) {
                        out.append(text, pattern.start(group), pattern.end(group) - pattern.start(group));
                    }
                    return found;
                };
    }

    static @Nullable ToNumber count(@Nullable OnePassPattern pattern) {
        return pattern == null
                ? null
                : (text, length) -> {
                    int count = 0;
                    for (int from = 0; from <= length && pattern.find(text, length, from); from = pattern.next()) {
                        count++;
                    }
                    return count;
                };
    }

    static @Nullable ToNumber indexOf(@Nullable OnePassPattern pattern) {
        return pattern == null ? null : (text, length) -> pattern.find(text, length, 0) ? pattern.start(0) : -1;
    }

    /// A part of a replacement: a text, or a group if its number is not negative.
    private record Part(byte[] text, int group) {}

    /// The parts of a replacement as Java's matcher reads it; null if it has names, or is malformed.
    private static @Nullable List<Part> parts(String replacement, int groups) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        for (int at = 0; at < replacement.length(); at++) {
            char c = replacement.charAt(at);
            if (c == '\\') {
                if (++at == replacement.length()) {
                    return null;
                }
                literal.append(replacement.charAt(at));
            } else if (c == '$') {
                int group = at + 1 < replacement.length() ? replacement.charAt(at + 1) - '0' : -1;
                if (group < 0 || group > 9 || group > groups) {
                    return null;
                }
                at++;
                while (at + 1 < replacement.length()) {
                    int digit = replacement.charAt(at + 1) - '0';
                    if (digit < 0 || digit > 9 || group * 10 + digit > groups) {
                        break;
                    }
                    group = group * 10 + digit;
                    at++;
                }
                if (!add(parts, literal)) {
                    return null;
                }
                parts.add(new Part(new byte[0], group));
            } else {
                literal.append(c);
            }
        }
        return add(parts, literal) ? parts : null;
    }

    private static boolean add(List<Part> parts, StringBuilder literal) {
        byte[] bytes = AsciiText.utf8(literal.toString());
        if (bytes == null) {
            return false;
        }
        if (bytes.length > 0) {
            parts.add(new Part(bytes, -1));
        }
        literal.setLength(0);
        return true;
    }
}

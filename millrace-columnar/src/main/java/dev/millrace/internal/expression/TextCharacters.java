package dev.millrace.internal.expression;

import dev.millrace.column.StringColumnBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Functions of one text that look at its characters. Case changes map one code point to one code point.
final class TextCharacters {
    private TextCharacters() {}

    /// The first character in title case, the others in lower case.
    static String capitalized(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            out.appendCodePoint(at == 0 ? Character.toTitleCase(point) : Character.toLowerCase(point));
            at += Character.charCount(point);
        }
        return out.toString();
    }

    /// The first of each run of letters that have a case in title case, the others in lower case.
    static String titled(String text) {
        StringBuilder out = new StringBuilder(text.length());
        boolean afterCased = false;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            out.appendCodePoint(afterCased ? Character.toLowerCase(point) : Character.toTitleCase(point));
            afterCased = Character.isLowerCase(point) || Character.isUpperCase(point) || Character.isTitleCase(point);
            at += Character.charCount(point);
        }
        return out.toString();
    }

    static String swapped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            boolean lower = Character.isLowerCase(point);
            out.appendCodePoint(
                    Character.isUpperCase(point)
                            ? Character.toLowerCase(point)
                            : lower ? Character.toUpperCase(point) : point);
            at += Character.charCount(point);
        }
        return out.toString();
    }

    /// Padded on both sides; a missing odd character is on the left if the width is odd, as in Python.
    static String centered(String text, int width, String fill) {
        int missing = width - text.codePointCount(0, text.length());
        if (missing <= 0) {
            return text;
        }
        int left = missing / 2 + (missing & width & 1);
        return fill.repeat(left) + text + fill.repeat(missing - left);
    }

    /// Replaces each character in `from` by the one at its first position in `to`, or by nothing if `to` is shorter.
    static TextKernels.Mapped.ToText translated(String from, String to) {
        int[] points = from.codePoints().toArray();
        int[] others = to.codePoints().toArray();
        Map<Integer, Integer> replacements = new HashMap<>();
        for (int i = 0; i < points.length; i++) {
            replacements.putIfAbsent(points[i], i < others.length ? others[i] : -1);
        }
        return text -> {
            StringBuilder out = new StringBuilder(text.length());
            text.codePoints().forEach(point -> {
                int replacement = replacements.getOrDefault(point, point);
                if (replacement >= 0) {
                    out.appendCodePoint(replacement);
                }
            });
            return out.toString();
        };
    }

    /// The number of occurrences that do not overlap; an empty part occurs before each character and at the end.
    static int count(String text, String part) {
        if (part.isEmpty()) {
            return text.codePointCount(0, text.length()) + 1;
        }
        int count = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }

    /// The position of the first occurrence in code points, or -1.
    static int find(String text, String part) {
        int at = text.indexOf(part);
        return at < 0 ? -1 : text.codePointCount(0, at);
    }

    static int count(Matcher matcher) {
        int count = 0;
        while (matcher.find()) {
            count++;
        }
        return count;
    }

    /// The position of the first match in code points, or -1.
    static int find(Matcher matcher, String text) {
        return matcher.find() ? text.codePointCount(0, matcher.start()) : -1;
    }

    /// A group of each match, null where the group took no part in it.
    static void matches(Matcher matcher, int group, StringColumnBuilder out) {
        while (matcher.find()) {
            out.append((Object) matcher.group(group));
        }
    }

    /// The part at `index`, from the end if it is negative; empty if there is none.
    static String part(String text, String separator, int index) {
        if (separator.isEmpty()) {
            int count = text.codePointCount(0, text.length());
            long at = index < 0 ? (long) count + index : index;
            return at < 0 || at >= count
                    ? ""
                    : Character.toString(text.codePointAt(text.offsetByCodePoints(0, (int) at)));
        }
        return index >= 0 ? fromStart(text, separator, index) : fromEnd(text, separator, index);
    }

    private static String fromStart(String text, String separator, int index) {
        int from = 0;
        for (int i = 0; i < index; i++) {
            int at = text.indexOf(separator, from);
            if (at < 0) {
                return "";
            }
            from = at + separator.length();
        }
        int end = text.indexOf(separator, from);
        return end < 0 ? text.substring(from) : text.substring(from, end);
    }

    /// Separators are found from the start here too, since they may overlap themselves.
    private static String fromEnd(String text, String separator, int index) {
        long wanted = (long) count(text, separator) + 1 + index;
        return wanted < 0 ? "" : fromStart(text, separator, (int) wanted);
    }

    /// The parts between separators; the characters if the separator is empty.
    static BiConsumer<String, StringColumnBuilder> split(String separator) {
        Pattern pattern = Pattern.compile(Pattern.quote(separator));
        return (text, out) -> {
            if (separator.isEmpty()) {
                text.codePoints().forEach(c -> out.append(Character.toString(c)));
                return;
            }
            for (String part : pattern.split(text, -1)) {
                out.append(part);
            }
        };
    }

    /// The runs of characters that are no white space.
    static void words(String text, StringColumnBuilder out) {
        int start = -1;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            boolean blank = Character.isWhitespace(point) || Character.isSpaceChar(point) || point == 0x85;
            if (blank && start >= 0) {
                out.append(text.substring(start, at));
                start = -1;
            } else if (!blank && start < 0) {
                start = at;
            }
            at += Character.charCount(point);
        }
        if (start >= 0) {
            out.append(text.substring(start));
        }
    }

    /// The parts between matches. Each part is searched from its own beginning, and an empty match there ends it after
    /// one character.
    static void split(Matcher matcher, String text, StringColumnBuilder out) {
        matcher.reset(text);
        int from = 0;
        while (from < text.length() && matcher.region(from, text.length()).find()) {
            int start = matcher.start();
            int end = matcher.end();
            if (start == from && end == from) {
                start += Character.charCount(text.codePointAt(from));
                end = start;
                if (start == text.length()) {
                    break;
                }
            }
            out.append(text.substring(from, start));
            from = end;
        }
        out.append(text.substring(from));
    }
}

package dev.millrace.internal.expression;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A regular expression over ASCII that needs no backtracking: a sequence of characters and classes of characters, each
/// perhaps with a greedy quantifier, and groups without one. What follows a quantifier with a choice either matches
/// everything, or begins with none of the characters that are repeated: so the longest repetition is the right one.
///
/// The meaning is that of Java's [Pattern], which says itself which characters a class contains. One thread.
final class OnePassPattern {
    /// A longer sequence is left to Java.
    private static final int MAX_ITEMS = 64;
    private static final int CHARACTERS = 128;
    /// Letters that are a class or a character behind a backslash; other escaped letters and digits mean something
    /// else.
    private static final String ESCAPED = "dDwWsShHvVtnrfae";

    private final boolean anchored;
    /// For each item: its characters as two words, and how often it occurs.
    private final long[] low;
    private final long[] high;
    private final int[] min;
    private final int[] max;
    /// The characters with which a match begins; null if it may be empty.
    private final boolean @Nullable [] first;
    /// For each group: its first item, and the one behind its last. Group 0 is all.
    private final int[] groupStart;
    private final int[] groupEnd;
    /// Where each item begins in the text that was matched last, and the end of the last.
    private final int[] bounds;

    private record Item(long low, long high, int min, int max) {
        boolean meets(Item other) {
            return (low & other.low | high & other.high) != 0;
        }

        boolean has(int character) {
            return ((character < Long.SIZE ? low : high) >>> character & 1) != 0;
        }
    }

    private OnePassPattern(boolean anchored, List<Item> items, List<int[]> groups) {
        int count = items.size();
        this.anchored = anchored;
        this.low = items.stream().mapToLong(Item::low).toArray();
        this.high = items.stream().mapToLong(Item::high).toArray();
        this.min = items.stream().mapToInt(Item::min).toArray();
        this.max = items.stream().mapToInt(Item::max).toArray();
        this.groupStart = groups.stream().mapToInt(group -> group[0]).toArray();
        this.groupEnd = groups.stream().mapToInt(group -> group[1]).toArray();
        this.bounds = new int[count + 1];
        this.first = first(items);
    }

    private static boolean @Nullable [] first(List<Item> items) {
        boolean[] first = new boolean[CHARACTERS];
        for (Item item : items) {
            for (int c = 0; c < CHARACTERS; c++) {
                first[c] |= item.has(c);
            }
            if (item.min > 0) {
                return first;
            }
        }
        return null;
    }

    /// The same pattern; null if it is not one of these.
    static @Nullable OnePassPattern of(Pattern pattern) {
        return pattern.flags() == 0 ? new Parser(pattern.pattern()).parse() : null;
    }

    int groups() {
        return groupStart.length - 1;
    }

    /// Finds the first match at or behind `from`, which may be beyond the end.
    boolean find(byte[] text, int length, int from) {
        if (anchored) {
            return from == 0 && matches(text, length, 0);
        }
        boolean[] begins = first;
        for (int at = from; at <= length; at++) {
            if (begins != null) {
                while (at < length && !begins[text[at]]) {
                    at++;
                }
                if (at == length) {
                    return false;
                }
            }
            if (matches(text, length, at)) {
                return true;
            }
        }
        return false;
    }

    private boolean matches(byte[] text, int length, int from) {
        int at = from;
        bounds[0] = from;
        for (int i = 0; i < low.length; i++) {
            int begin = at;
            int end = max[i] < length - begin ? begin + max[i] : length;
            long below = low[i];
            long above = high[i];
            while (at < end && (((text[at] & Long.SIZE) == 0 ? below : above) >>> text[at] & 1) != 0) {
                at++;
            }
            if (at - begin < min[i]) {
                return false;
            }
            bounds[i + 1] = at;
        }
        return true;
    }

    /// Where the group begins in the match that was found last.
    int start(int group) {
        return bounds[groupStart[group]];
    }

    int end(int group) {
        return bounds[groupEnd[group]];
    }

    /// Where the search for the next match begins: one character later behind an empty one.
    int next() {
        return end(0) == start(0) ? end(0) + 1 : end(0);
    }

    private static final class Parser {
        private final String text;
        private final List<Item> items = new ArrayList<>();
        private final List<int[]> groups = new ArrayList<>(List.of(new int[2]));
        /// Negative: a group that is not captured.
        private final Deque<Integer> open = new ArrayDeque<>();
        private int at;

        Parser(String text) {
            this.text = text;
        }

        @Nullable
        OnePassPattern parse() {
            boolean anchored = text.startsWith("^");
            at = anchored ? 1 : 0;
            while (at < text.length()) {
                boolean known = switch (text.charAt(at)) {
                    case '(' -> opens();
                    case ')' -> closes();
                    default -> item();
                };
                if (!known || items.size() > MAX_ITEMS) {
                    return null;
                }
            }
            groups.getFirst()[1] = items.size();
            return open.isEmpty() && !items.isEmpty() && needsNoChoice()
                    ? new OnePassPattern(anchored, items, groups)
                    : null;
        }

        private boolean opens() {
            at++;
            if (text.startsWith("?", at)) {
                open.push(-1);
                boolean plain = text.startsWith("?:", at);
                at += 2;
                return plain;
            }
            open.push(groups.size());
            groups.add(new int[] {items.size(), 0});
            return true;
        }

        private boolean closes() {
            at++;
            if (open.isEmpty() || at < text.length() && "*+?{".indexOf(text.charAt(at)) >= 0) {
                return false;
            }
            int group = open.pop();
            if (group >= 0) {
                groups.get(group)[1] = items.size();
            }
            return true;
        }

        /// A character or class with its quantifier.
        private boolean item() {
            int begin = at;
            char c = text.charAt(at++);
            if (c >= CHARACTERS || "^$|*+?{}]".indexOf(c) >= 0) {
                return false;
            }
            if (c == '\\' && !escaped() || c == '[' && !bracketed()) {
                return false;
            }
            String atom = text.substring(begin, at);
            int[] times = times();
            if (times == null) {
                return false;
            }
            long low = 0;
            long high = 0;
            Matcher matcher = Pattern.compile(atom).matcher("");
            for (int character = 0; character < CHARACTERS; character++) {
                boolean has = atom.length() == 1 && c != '.'
                        ? character == c
                        : matcher.reset(Character.toString(character)).matches();
                if (has && character < Long.SIZE) {
                    low |= 1L << character;
                } else if (has) {
                    high |= 1L << character;
                }
            }
            items.add(new Item(low, high, times[0], times[1]));
            return true;
        }

        private boolean escaped() {
            if (at == text.length()) {
                return false;
            }
            char c = text.charAt(at++);
            return c < CHARACTERS && (!Character.isLetterOrDigit(c) || ESCAPED.indexOf(c) >= 0);
        }

        /// A class without classes inside.
        private boolean bracketed() {
            at += text.startsWith("^", at) ? 1 : 0;
            int begin = at;
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == ']') {
                    return at > begin + 1;
                }
                if (c >= CHARACTERS || c == '[' || c == '&' || c == '\\' && !escaped()) {
                    return false;
                }
            }
            return false;
        }

        /// How often an item occurs at least and at most; null for quantifiers that are not greedy, or malformed.
        private int @Nullable [] times() {
            int[] times = {1, 1};
            if (at == text.length() || "*+?{".indexOf(text.charAt(at)) < 0) {
                return times;
            }
            char c = text.charAt(at++);
            if (c == '{') {
                int end = text.indexOf('}', at);
                if (end < 0 || !range(text.substring(at, end), times)) {
                    return null;
                }
                at = end + 1;
            } else {
                times[0] = c == '+' ? 1 : 0;
                times[1] = c == '?' ? 1 : Integer.MAX_VALUE;
            }
            boolean greedy = at == text.length() || "*+?{".indexOf(text.charAt(at)) < 0;
            return greedy ? times : null;
        }

        private static boolean range(String range, int[] times) {
            Matcher parts = RANGE.matcher(range);
            if (!parts.matches()) {
                return false;
            }
            times[0] = Integer.parseInt(parts.group(1));
            times[1] = parts.group(2) == null
                    ? times[0]
                    : parts.group(2).length() == 1
                            ? Integer.MAX_VALUE
                            : Integer.parseInt(parts.group(2).substring(1));
            return times[1] >= times[0];
        }

        private static final Pattern RANGE = Pattern.compile("([0-9]{1,6})(,[0-9]{0,6})?");

        private boolean needsNoChoice() {
            for (int i = 0; i < items.size(); i++) {
                if (items.get(i).min < items.get(i).max && meetsNext(i)) {
                    return false;
                }
            }
            return true;
        }

        /// Whether what follows an item must match something, and may begin with one of its characters.
        private boolean meetsNext(int i) {
            boolean meets = false;
            for (int next = i + 1; next < items.size(); next++) {
                meets |= items.get(i).meets(items.get(next));
                if (items.get(next).min > 0) {
                    return meets;
                }
            }
            return false;
        }
    }
}

package dev.millrace.internal.models.text;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Encodes texts as token ids. One thread.
///
/// A text is split at its spaces first: no rule looks across one. Hence ASCII text is never converted to a string,
/// accents only slow down the words that have them, and a long text is read only up to the token limit.
public final class WordPieceEncoder {
    private final WordPieceRules rules;
    private final boolean[] beginsSpecial = new boolean[256];

    private int[] ids = new int[64];
    private int count;
    /// The maximum number of ids before the suffix.
    private int most;

    private byte[] word = new byte[256];
    private int wordBytes;

    public WordPieceEncoder(WordPieceRules rules) {
        this.rules = rules;
        for (WordPieceRules.Special special : rules.special()) {
            beginsSpecial[special.bytes()[0] & 0xFF] = true;
        }
    }

    /// Encodes a text; its ids are in [#ids] from index 0 until the next call.
    ///
    /// @param text UTF-8
    /// @return the number of ids
    public int encode(byte[] text, int from, int to) {
        count = 0;
        rules.prefix().forEach(this::put);
        most = rules.maxLength() - rules.suffix().size();
        int begin = from;
        for (int at = from; at < to && count < most; ) {
            WordPieceRules.Special special = beginsSpecial[text[at] & 0xFF] ? specialAt(text, at, to) : null;
            if (special == null) {
                at++;
            } else {
                plain(text, begin, at);
                if (count < most) {
                    put(special.id());
                }
                at += special.bytes().length;
                begin = at;
            }
        }
        plain(text, begin, to);
        count = Math.min(count, most);
        rules.suffix().forEach(this::put);
        return count;
    }

    public int[] ids() {
        return ids;
    }

    private WordPieceRules.@Nullable Special specialAt(byte[] text, int at, int to) {
        WordPieceRules.Special longest = null;
        for (WordPieceRules.Special special : rules.special()) {
            int end = at + special.bytes().length;
            if (end <= to
                    && (longest == null || special.bytes().length > longest.bytes().length)
                    && Arrays.equals(text, at, end, special.bytes(), 0, special.bytes().length)) {
                longest = special;
            }
        }
        return longest;
    }

    private void plain(byte[] text, int from, int to) {
        int at = from;
        while (at < to && count < most) {
            int begin = at;
            boolean ascii = true;
            while (at < to && !isBlank(text[at])) {
                ascii &= text[at] >= 0;
                at++;
            }
            if (ascii) {
                ascii(text, begin, at);
            } else {
                unicode(new String(text, begin, at - begin, StandardCharsets.UTF_8));
            }
            at++;
        }
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }

    private void ascii(byte[] text, int from, int to) {
        for (int at = from; at < to; at++) {
            byte c = text[at];
            if (BertCharacters.isAsciiPunctuation(c)) {
                endWord();
                append(c);
                endWord();
            } else if (c > ' ' && c < 0x7F || !rules.clean() && c != 0x0B && c != 0x0C) {
                append(rules.lowerCase() && c >= 'A' && c <= 'Z' ? (byte) (c + 32) : c);
            } else if (!rules.clean()) {
                endWord();
            }
        }
        endWord();
    }

    private void unicode(String text) {
        String normal = spaced(text);
        if (rules.stripAccents()) {
            normal = Normalizer.normalize(normal, Normalizer.Form.NFD);
        }
        for (int at = 0; at < normal.length() && count < most; ) {
            int c = normal.codePointAt(at);
            at += Character.charCount(c);
            if (rules.stripAccents() && BertCharacters.isMark(c)) {
                continue;
            }
            if (BertCharacters.isSpace(c)) {
                endWord();
            } else if (BertCharacters.isPunctuation(c)) {
                endWord();
                appendUtf8(c);
                endWord();
            } else if (rules.lowerCase() && c == 'İ') {
                appendUtf8('i');
                appendUtf8(0x307);
            } else {
                appendUtf8(rules.lowerCase() ? Character.toLowerCase(c) : c);
            }
        }
        endWord();
    }

    /// The text without removed characters, with a space around each Chinese character.
    private String spaced(String text) {
        StringBuilder spaced = new StringBuilder(text.length() + 16);
        for (int at = 0; at < text.length(); ) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            if (rules.clean() && BertCharacters.isRemoved(c)) {
                continue;
            }
            if (rules.splitIdeographs() && BertCharacters.isIdeograph(c)) {
                spaced.append(' ').appendCodePoint(c).append(' ');
            } else {
                spaced.appendCodePoint(c);
            }
        }
        return spaced.toString();
    }

    private void append(byte b) {
        if (wordBytes == word.length) {
            word = Arrays.copyOf(word, 2 * wordBytes);
        }
        word[wordBytes++] = b;
    }

    private void appendUtf8(int c) {
        if (c < 0x80) {
            append((byte) c);
            return;
        }
        if (c < 0x800) {
            append((byte) (0xC0 | c >> 6));
        } else {
            if (c < 0x10000) {
                append((byte) (0xE0 | c >> 12));
            } else {
                append((byte) (0xF0 | c >> 18));
                append((byte) (0x80 | c >> 12 & 0x3F));
            }
            append((byte) (0x80 | c >> 6 & 0x3F));
        }
        append((byte) (0x80 | c & 0x3F));
    }

    /// Matches the longest piece first, then the longest piece of the remainder; a word that cannot be covered is
    /// unknown as a whole.
    private void endWord() {
        int bytes = wordBytes;
        wordBytes = 0;
        if (bytes == 0) {
            return;
        }
        int before = count;
        if (bytes > rules.mostCharacters() && characters(bytes) > rules.mostCharacters()) {
            put(rules.unknown());
            return;
        }
        for (int at = 0; at < bytes; ) {
            long piece = rules.vocabulary().longest(word, at, bytes, at > 0);
            if (piece < 0) {
                count = before;
                put(rules.unknown());
                return;
            }
            put((int) piece);
            at += (int) (piece >>> 32);
        }
    }

    private int characters(int bytes) {
        int characters = 0;
        for (int i = 0; i < bytes; i++) {
            characters += (word[i] & 0xC0) == 0x80 ? 0 : 1;
        }
        return characters;
    }

    private void put(int id) {
        if (count == ids.length) {
            ids = Arrays.copyOf(ids, 2 * count);
        }
        ids[count++] = id;
    }
}

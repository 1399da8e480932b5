package dev.millrace.internal.wording;

import java.lang.Character.UnicodeScript;

/// The number of columns that text takes in a terminal: two for a character of East Asian scripts or an emoji, none for
/// an accent that combines with the character before it. An approximation of Unicode's East Asian Width by the tables
/// that Java has.
public final class DisplayWidth {
    /// All characters below take one column, but for controls.
    private static final int FIRST_UNUSUAL = 0x300;

    private static final int FIRST_HALF_WIDTH = 0xFF61;
    private static final int LAST_HALF_WIDTH = 0xFFDC;

    private DisplayWidth() {}

    /// The columns of a text without control characters.
    public static int of(String text) {
        int width = 0;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            width += of(character);
            i += Character.charCount(character);
        }
        return width;
    }

    /// As many whole characters from the start as fit into `width` columns.
    public static String prefix(String text, int width) {
        int left = width;
        int end = 0;
        while (end < text.length()) {
            int character = text.codePointAt(end);
            left -= of(character);
            if (left < 0) {
                break;
            }
            end += Character.charCount(character);
        }
        return text.substring(0, end);
    }

    private static int of(int character) {
        if (character < FIRST_UNUSUAL) {
            return 1;
        }
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(character) ? 2 : 1;
        };
    }

    private static boolean isWide(int character) {
        if (character < 0x1100) {
            return false;
        }
        if (Character.isEmojiPresentation(character)) {
            return true;
        }
        if (character >= FIRST_HALF_WIDTH && character <= LAST_HALF_WIDTH) {
            return false;
        }
        return switch (UnicodeScript.of(character)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL -> true;
            // Punctuation, and Latin letters as wide as those.
            default ->
                (character >= 0x3000 && character <= 0x303E) || (character >= 0xFF01 && character < FIRST_HALF_WIDTH);
        };
    }
}

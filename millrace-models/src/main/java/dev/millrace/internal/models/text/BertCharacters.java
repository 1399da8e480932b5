package dev.millrace.internal.models.text;

import java.util.BitSet;

/// The character classes of BERT's tokenisers. Hugging Face's tokenizers uses Unicode 8, and so do the vocabularies
/// that were made with it: characters added later are letters here. A test compares every code point.
final class BertCharacters {
    private static final int MARKS = 1 << Character.NON_SPACING_MARK;
    private static final int OTHERS = 1 << Character.CONTROL | 1 << Character.FORMAT | 1 << Character.PRIVATE_USE;
    private static final int SPACES =
            1 << Character.SPACE_SEPARATOR | 1 << Character.LINE_SEPARATOR | 1 << Character.PARAGRAPH_SEPARATOR;
    private static final int PUNCTUATION = 1 << Character.CONNECTOR_PUNCTUATION
            | 1 << Character.DASH_PUNCTUATION
            | 1 << Character.START_PUNCTUATION
            | 1 << Character.END_PUNCTUATION
            | 1 << Character.INITIAL_QUOTE_PUNCTUATION
            | 1 << Character.FINAL_QUOTE_PUNCTUATION
            | 1 << Character.OTHER_PUNCTUATION;

    /// Characters added after Unicode 8: marks, then punctuation, then format characters.
    private static final BitSet LATER = ranges("""
            7fd 897-89f 8ca-8e1 9fe afa-aff b55 c04 c3c d00 d3b-d3c d81 eba ece 180f 1885-1886 1abf-1ace 1df6-1dfb
            a82c a8c5 a8ff a9bd 10d24-10d27 10d69-10d6d 10eab-10eac 10efc-10eff 10f46-10f50 10f82-10f85 11070
            11073-11074 110c2 111cf 1123e 11241 1133b 113bb-113c0 113ce 113d0 113d2 113e1-113e2 11438-1143f
            11442-11444 11446 1145e 1182f-11837 11839-1183a 1193b-1193c 1193e 11943 119d4-119d7 119da-119db 119e0
            11a01-11a0a 11a33-11a38 11a3b-11a3e 11a47 11a51-11a56 11a59-11a5b 11a8a-11a96 11a98-11a99 11c30-11c36
            11c38-11c3d 11c3f 11c92-11ca7 11caa-11cb0 11cb2-11cb3 11cb5-11cb6 11d31-11d36 11d3a 11d3c-11d3d
            11d3f-11d45 11d47 11d90-11d91 11d95 11d97 11ef3-11ef4 11f00-11f01 11f36-11f3a 11f40 11f42 11f5a 13440
            13447-13455 1611e-16129 1612d-1612f 16f4f 16fe4 1cf00-1cf2d 1cf30-1cf46 1e000-1e006 1e008-1e018
            1e01b-1e021 1e023-1e024 1e026-1e02a 1e08f 1e130-1e136 1e2ae 1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ef
            1e944-1e94a
            61d 9fd a76 c77 c84 1b4e-1b4f 1b7d-1b7f 2e43-2e4f 2e52-2e5d 10d6e 10ead 10f55-10f59 10f86-10f89
            113d4-113d5 113d7-113d8 1144b-1144f 1145a-1145b 1145d 11660-1166c 116b9 1183b 11944-11946 119e2
            11a3f-11a46 11a9a-11a9c 11a9e-11aa2 11b00-11b09 11be1 11c41-11c45 11c70-11c71 11ef7-11ef8 11f43-11f4f
            11fff 12ff1-12ff2 16d6d-16d6f 16e97-16e9a 16fe2 1e5ff 1e95e-1e95f
            890-891 8e2 110cd 13430-1343f""");

    /// Characters that Unicode has reclassified since.
    private static final BitSet ONCE_MARKS = ranges("1171e 1734");

    private static final BitSet ONCE_PUNCTUATION = ranges("166d 111c9");

    private static final BitSet IDEOGRAPHS =
            ranges("3400-4dbf 4e00-9fff f900-faff 20000-2a6df 2a700-2b81f 2b920-2ceaf 2f800-2fa1f");

    private BertCharacters() {}

    /// Whether the character is removed from a text: control and format characters, except white space.
    static boolean isRemoved(int c) {
        return c == 0 || c == 0xFFFD || is(c, OTHERS) && c != '\t' && c != '\n' && c != '\r';
    }

    static boolean isSpace(int c) {
        return c == ' ' || c >= '\t' && c <= '\r' || c == 0x85 || is(c, SPACES);
    }

    static boolean isPunctuation(int c) {
        return c < 0x80 ? isAsciiPunctuation(c) : is(c, PUNCTUATION) || ONCE_PUNCTUATION.get(c);
    }

    static boolean isAsciiPunctuation(int c) {
        return c > ' ' && c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z' && c < 0x7F;
    }

    /// A combining mark, such as an accent after its letter.
    static boolean isMark(int c) {
        return c >= 0x300 && (is(c, MARKS) && !ONCE_PUNCTUATION.get(c) || ONCE_MARKS.get(c));
    }

    /// A Chinese character, which is a word of its own.
    static boolean isIdeograph(int c) {
        return IDEOGRAPHS.get(c);
    }

    private static boolean is(int c, int types) {
        return (1 << Character.getType(c) & types) != 0 && !LATER.get(c);
    }

    private static BitSet ranges(String text) {
        BitSet set = new BitSet();
        for (String range : text.strip().split("\\s+", -1)) {
            int dash = range.indexOf('-');
            int from = Integer.parseInt(dash < 0 ? range : range.substring(0, dash), 16);
            int to = dash < 0 ? from : Integer.parseInt(range.substring(dash + 1), 16);
            set.set(from, to + 1);
        }
        return set;
    }
}

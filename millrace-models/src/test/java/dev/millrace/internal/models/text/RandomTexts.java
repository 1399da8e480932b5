package dev.millrace.internal.models.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/// Texts as bad as people make them: words, accents in both forms, every script, emoji with joiners, controls, strange
/// spaces, punctuation, words without end, special tokens.
final class RandomTexts {
    private static final String[] WORDS = {
        "the",
        "Quick",
        "BROWN",
        "embeddings",
        "naïve",
        "café",
        "cafe\u0301",
        "Ångström",
        "ÜBER",
        "straße",
        "ŒUVRE",
        "İstanbul",
        "ΑΣ",
        "Σίσυφος",
        "привет",
        "Ёлка",
        "עִבְרִית",
        "العَرَبِيَّة",
        "हिन्दी",
        "ไทย",
        "한국어",
        "日本語です",
        "中文字符",
        "㐀",
        "豈",
        "𠀀",
        "don't",
        "e-mail",
        "a.b.c",
        "3.14",
        "$100",
        "x=y+z",
        "C++",
        "#tag",
        "@me",
        "l'été",
        "“quoted”",
        "—",
        "…",
        "¿qué?",
        "ﬁne",
        "👩‍👩‍👧‍👦",
        "👍🏽",
        "🇩🇪",
        "❤️",
        "①",
        "½",
        "ｆｕｌｌ",
        "\u200b",
        "\u00a0",
        "\u3000",
        "\u2028",
        "\u0085",
        "\ufeff",
        "\u0000",
        "\u0001",
        "\u007f",
        "\u000b",
        "\f",
        "\ufffd",
        "\t",
        "\r\n",
        "[SEP]",
        "[CLS]",
        "[MASK]",
        "[UNK]",
        "[PAD]",
        "[sep]",
        "[[SEP]]",
        "##ing",
        "unaffable",
        "antidisestablishmentarianism",
        "supercalifragilisticexpialidocious",
        "ﷺ",
        "Ǆ",
        "\u0301",
        "x\u0301\u0323",
        "ﬀ",
        "ẞ",
        "Ω",
        "K",
        "\ue000",
        "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
        "𐐀",
        "\u0f71\u0f72"
    };

    private final SplittableRandom random;
    private final BitSet leftOut;

    RandomTexts(long seed, BitSet leftOut) {
        this.random = new SplittableRandom(seed);
        this.leftOut = leftOut;
    }

    List<String> take(int count) {
        List<String> texts = new ArrayList<>();
        texts.add("");
        texts.add(" ");
        texts.add("\u0301");
        while (texts.size() < count) {
            texts.add(text());
        }
        return texts;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int parts = random.nextInt(1, random.nextInt(10) == 0 ? 200 : 14);
        for (int i = 0; i < parts; i++) {
            switch (random.nextInt(12)) {
                case 0 -> characters(text, 1, 0x300);
                case 1 -> characters(text, 1, 0x3000);
                case 2 -> characters(text, 1, 0x30000);
                case 3 -> text.append(random.nextInt());
                case 4 ->
                    text.append(Character.toString(random.nextInt('a', 'z' + 1)).repeat(random.nextInt(90, 110)));
                case 5 -> text.append(WORDS[random.nextInt(WORDS.length)].toUpperCase(java.util.Locale.ROOT));
                default -> text.append(WORDS[random.nextInt(WORDS.length)]);
            }
            text.append(random.nextInt(4) == 0 ? "" : " ");
        }
        return text.toString();
    }

    private void characters(StringBuilder text, int from, int to) {
        for (int left = random.nextInt(1, 6); left > 0; left--) {
            int c = random.nextInt(from, to);
            if (!Character.isSurrogate((char) c) && !leftOut.get(c) || c > 0xFFFF && !leftOut.get(c)) {
                text.appendCodePoint(c);
            }
        }
    }
}

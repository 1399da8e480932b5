package dev.millrace.internal.wording;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DisplayWidthTest {
    @Test
    void lettersTakeOneColumnEastAsianOnesAndEmojisTwoAccentsNone() {
        assertThat(DisplayWidth.of("abc é€ ñ ж ▁█")).isEqualTo(13);
        assertThat(DisplayWidth.of("東京")).isEqualTo(4);
        assertThat(DisplayWidth.of("한국어、ＡＢ")).isEqualTo(12);
        assertThat(DisplayWidth.of("ｱｲ")).isEqualTo(2);
        assertThat(DisplayWidth.of("e\u0301")).isEqualTo(1);
        assertThat(DisplayWidth.of("😀")).isEqualTo(2);
    }

    @Test
    void aPrefixNeverEndsInsideOfACharacter() {
        assertThat(DisplayWidth.prefix("東京", 3)).isEqualTo("東");
        assertThat(DisplayWidth.prefix("a😀b", 2)).isEqualTo("a");
        assertThat(DisplayWidth.prefix("abc", 10)).isEqualTo("abc");
        assertThat(DisplayWidth.prefix("abc", 0)).isEmpty();
    }
}

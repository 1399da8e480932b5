package dev.millrace.internal.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.Seeds;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Patterns against regular expressions that say the same.
class LikePatternTest {
    private static final String[] LETTERS = {"a", "b", "é", "€", "😀"};
    private static final int CASES = 20_000;

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @Test
    void patternsFindWhatRegularExpressionsFind() {
        for (int i = 0; i < CASES; i++) {
            StringBuilder like = new StringBuilder();
            StringBuilder regex = new StringBuilder();
            int length = random.nextInt(7);
            for (int j = 0; j < length; j++) {
                switch (random.nextInt(5)) {
                    case 0 -> {
                        like.append('%');
                        regex.append(".*");
                    }
                    case 1 -> {
                        like.append('_');
                        regex.append('.');
                    }
                    case 2 -> {
                        like.append("$%");
                        regex.append('%');
                    }
                    default -> {
                        String letter = letter();
                        like.append(letter);
                        regex.append(letter);
                    }
                }
            }
            String text = text();
            boolean expected = Pattern.compile(regex.toString(), Pattern.DOTALL)
                    .matcher(text)
                    .matches();
            byte[] bytes = ("€" + text + "é").getBytes(StandardCharsets.UTF_8);
            boolean found =
                    new LikePattern(like.toString(), '$').matches(MemorySegment.ofArray(bytes), 3, bytes.length - 2);
            assertThat(found)
                    .as("'" + text + "' like '" + like + "', seed " + seed)
                    .isEqualTo(expected);
        }
    }

    @Test
    void anEscapeCharacterNeedsSomethingToEscape() {
        assertThatThrownBy(() -> new LikePattern("a$", '$')).hasMessage("it ends with the escape character");
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(8);
        for (int i = 0; i < length; i++) {
            text.append(random.nextInt(8) == 0 ? "%" : letter());
        }
        return text.toString();
    }

    private String letter() {
        return LETTERS[random.nextInt(random.nextBoolean() ? 2 : LETTERS.length)];
    }
}

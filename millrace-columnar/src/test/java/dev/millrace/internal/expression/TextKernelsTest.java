package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.type.DataType.UTF8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.expression.Expression;
import dev.millrace.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Functions of texts, most of which have a path over the bytes of ASCII, against Java's methods of strings.
class TextKernelsTest {
    private static final int ROWS = 300;
    private static final List<String> PIECES = List.of(
            "a", "b", "A", "aa", "ab", "1", "23", "-", "--", ".", " ", "_", "\n", "\r", "\t", "\u007f", "$", "x");

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @Test
    void patternsWithoutChoicesNeedNoBacktracking() {
        for (String pattern : List.of(
                "a",
                "[0-4]+",
                "\\d{2,4}-x",
                "^[^-]*-(\\w+)",
                "(?:a)(b(c))",
                "a*",
                "a?b?",
                ".+",
                "\\s*\\.",
                "[\\]a-]{3}")) {
            assertThat(OnePassPattern.of(Pattern.compile(pattern))).as(pattern).isNotNull();
        }
        for (String pattern : List.of(
                "a|b", "a*a", "a*?", "a++", "(a)+", "\\bx", "a$", ".*b", "\\p{L}", "[a&&b]", "[a[b]]", "(?i)a",
                "x{2}{3}", "é", "\\w+_", "(?<n>a)", "(a)\\1", "a^", "\\Qa\\E", "")) {
            assertThat(OnePassPattern.of(Pattern.compile(pattern))).as(pattern).isNull();
        }
        assertThat(OnePassPattern.of(Pattern.compile("a", Pattern.CASE_INSENSITIVE)))
                .isNull();
    }

    @Test
    void regularExpressionsAreThoseOfJava() {
        Object[] texts = texts();
        int fast = 0;
        try (BlockOf block = new BlockOf().with("t", UTF8, texts)) {
            for (int round = 0; round < 400; round++) {
                String regex = regex();
                Pattern pattern = Pattern.compile(regex);
                fast += OnePassPattern.of(pattern) == null ? 0 : 1;
                int group = random.nextInt(pattern.matcher("").groupCount() + 1);
                String replacement = List.of("", "#", "<$0>", "\\$é" + "$" + group, "$" + group + "0", "\\\\")
                        .get(random.nextInt(6));
                compare(
                        block,
                        texts,
                        col("t").regexMatches(regex),
                        text -> pattern.matcher(text).find());
                compare(block, texts, col("t").regexExtract(regex, group), text -> {
                    Matcher matcher = pattern.matcher(text);
                    return matcher.find() ? matcher.group(group) : null;
                });
                compare(
                        block,
                        texts,
                        col("t").regexReplace(regex, replacement),
                        text -> pattern.matcher(text).replaceAll(replacement));
                compare(
                        block,
                        texts,
                        col("t").regexReplaceFirst(regex, replacement),
                        text -> pattern.matcher(text).replaceFirst(replacement));
                compare(block, texts, col("t").regexCount(regex), text ->
                        (int) pattern.matcher(text).results().count());
                compare(block, texts, col("t").regexIndexOf(regex), text -> {
                    Matcher matcher = pattern.matcher(text);
                    return matcher.find() ? text.codePointCount(0, matcher.start()) : -1;
                });
            }
        }
        assertThat(fast).isBetween(100, 380);
    }

    /// A sequence of characters, classes and groups with quantifiers, mostly without choices.
    private String regex() {
        StringBuilder regex = new StringBuilder(random.nextInt(8) == 0 ? "^" : "");
        for (int items = 1 + random.nextInt(4); items > 0; items--) {
            String item = List.of(
                            "a",
                            "b",
                            "-",
                            "\\.",
                            "[ab]",
                            "[^a-z]",
                            "[0-9x]",
                            "\\d",
                            "\\W",
                            "\\s",
                            "\\n",
                            ".",
                            "[\\w-]",
                            "(a)",
                            "(?:b1)",
                            "([a-c]\\d*)",
                            "(-(.))",
                            "a|b",
                            "\\x41",
                            "é",
                            "\\$")
                    .get(random.nextInt(21));
            regex.append(item);
            if (!item.contains("(") && !item.contains("|")) {
                regex.append(List.of("", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "+?", "*+")
                        .get(random.nextInt(12)));
            }
        }
        return regex.toString();
    }

    @Test
    void functionsOfCharactersAreThoseOfJava() {
        Object[] texts = texts();
        try (BlockOf block = new BlockOf().with("t", UTF8, texts)) {
            for (String part : List.of("a", "aa", "-", "--", "é", "ab", "a-", "\ud83d", "12345678901", "$")) {
                for (String other : List.of("", "#", "éé", "aa")) {
                    compare(block, texts, col("t").replace(part, other), text -> text.replace(part, other));
                }
                compare(block, texts, col("t").indexOf(part), text -> TextCharacters.find(text, part));
                compare(block, texts, col("t").countMatches(part), text -> TextCharacters.count(text, part));
                compare(
                        block,
                        texts,
                        col("t").split(part),
                        text -> List.of(Pattern.compile(Pattern.quote(part)).split(text, -1)));
                for (int index = -3; index < 4; index++) {
                    int at = index;
                    compare(block, texts, col("t").splitPart(part, index), text -> TextCharacters.part(text, part, at));
                }
            }
            compare(block, texts, col("t").replace("", "x"), text -> text);
            compare(
                    block,
                    texts,
                    col("t").split(""),
                    text -> text.codePoints().mapToObj(Character::toString).toList());
            compare(
                    block,
                    texts,
                    col("t").reverse(),
                    text -> new StringBuilder(text).reverse().toString());
            for (int width : new int[] {-1, 0, 1, 5, 20}) {
                for (String fill : List.of(".", "xyz", "é")) {
                    compare(block, texts, col("t").lpad(width, fill), text -> padded(text, width, fill, true));
                    compare(block, texts, col("t").rpad(width, fill), text -> padded(text, width, fill, false));
                }
            }
        }
    }

    private static String padded(String text, int width, String fill, boolean left) {
        int count = text.codePointCount(0, text.length());
        if (count >= width) {
            return text.substring(0, text.offsetByCodePoints(0, Math.max(0, width)));
        }
        String more = fill.repeat(width).substring(0, width - count);
        return left ? more + text : text + more;
    }

    @Test
    void slicesChangeTheirCase() {
        Object[] texts = texts();
        try (BlockOf block = new BlockOf().with("t", UTF8, texts)) {
            for (int from : new int[] {0, 1, 77}) {
                List<@Nullable Object> expected = new ArrayList<>();
                Arrays.stream(texts, from, ROWS)
                        .forEach(text -> expected.add(text == null ? null : ((String) text).toUpperCase(Locale.ROOT)));
                assertThat(block.eval(col("t").upper(), from, ROWS)).isEqualTo(expected);
            }
        }
    }

    @Test
    void rowsThatAreNotAskedForAreNotComputed() {
        try (BlockOf block = new BlockOf().with("t", UTF8, "aaaa", "b", null)) {
            Expression some = when(col("t").regexMatches("a+"))
                    .then(col("t").replace("aa", "x"))
                    .otherwise(lit("none"));
            assertThat(block.eval(some)).containsExactly("xx", "none", "none");
        }
    }

    private void compare(
            BlockOf block, Object[] texts, Expression expression, Function<String, @Nullable Object> function) {
        List<@Nullable Object> expected = new ArrayList<>();
        for (Object text : texts) {
            expected.add(text == null ? null : stored(function.apply((String) text)));
        }
        assertThat(block.eval(expression)).as("%s, seed %d", expression, seed).isEqualTo(expected);
    }

    /// As a column stores it: a part of a surrogate pair becomes a question mark.
    private static @Nullable Object stored(@Nullable Object value) {
        return switch (value) {
            case String text -> new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            case List<?> list -> list.stream().map(TextKernelsTest::stored).toList();
            case null, default -> value;
        };
    }

    /// With nulls, empty texts, texts that are not ASCII, and some that are longer than a word.
    private @Nullable Object[] texts() {
        @Nullable Object[] texts = new @Nullable Object[ROWS];
        for (int row = 0; row < ROWS; row++) {
            if (random.nextInt(10) == 0) {
                continue;
            }
            StringBuilder text = new StringBuilder();
            for (int pieces = random.nextInt(9); pieces > 0; pieces--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            texts[row] = text + (random.nextInt(5) == 0 ? "é😀" + text : "");
        }
        texts[5] = "12345678901".repeat(40);
        return texts;
    }
}

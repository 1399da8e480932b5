package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.type.DataType.UTF8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.json.JsonText;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Functions of characters against Python's methods of strings: every code point, and random texts.
class CharactersOracleTest {
    private static final List<String> PARTS = List.of(
            "a", "b", "ab", "B", "Z", "é", "É", "ǆ", "ǅ", "1", "²", "½", "Ⅷ", " ", "\t", "\u00a0", "\u2028", "'", "_",
            "😀", "𐐀", "𐐨", "日", "本", "\u0301", "ⓐ", "ª", "\u200b");
    private static final List<String> URLS = List.of(
            "http://user:pa:ss@Example.COM:8080/a/b.html?x=1&y=2#top",
            "s3://bucket/key with blanks/😀",
            "https://[2001:db8::1]:443/",
            "https://[::1]",
            "mailto:somebody@example.com",
            "//host/path",
            "/only/path?q",
            "file:///etc/hosts",
            "http://host:99999/",
            "http://host:/x",
            "http://@host?#",
            "http://u@host",
            "",
            "?",
            "#f?x",
            "a b c",
            "1x:y");

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @TempDir
    Path folder;

    @Test
    void charactersAreThoseOfPython() throws Exception {
        List<String> texts = texts();
        List<String> others = texts();
        Path file = folder.resolve("texts.json");
        Files.writeString(file, json(List.of(texts, others, URLS)));
        String printed = Python.environment("test").run(CharactersOracleTest.class, "characters.py", file.toString());
        Map<?, ?> expected = (Map<?, ?>) JsonText.parse(printed.getBytes(StandardCharsets.UTF_8));
        checkPoints((List<?>) expected.get("points"));
        checkTexts(texts, others, expected);
        checkUrls((List<?>) expected.get("urls"));
    }

    private List<String> texts() {
        List<String> texts = new ArrayList<>(List.of("", "abab", "They're Bill's Friends", "  a  b "));
        for (int i = 0; i < 400; i++) {
            StringBuilder text = new StringBuilder();
            for (int parts = random.nextInt(8); parts > 0; parts--) {
                text.append(PARTS.get(random.nextInt(PARTS.size())));
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private static List<Expression> tests(Expression text) {
        return List.of(
                text.isAlpha(),
                text.isAlphanumeric(),
                text.isDecimal(),
                text.isDigit(),
                text.isNumeric(),
                text.isSpace(),
                text.isAscii(),
                text.isPrintable(),
                text.isLower(),
                text.isUpper(),
                text.isTitle());
    }

    /// Those to which both versions of Unicode give the same category; ideographs that denote numbers are no numbers.
    private static void checkPoints(List<?> points) {
        List<List<?>> known = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (Object each : points) {
            List<?> point = (List<?>) each;
            int code = ((Number) point.get(0)).intValue();
            if (category(code).equals(point.get(2))) {
                known.add(point);
                texts.add(Character.toString(code));
            }
        }
        assertThat(known.size()).isGreaterThan(250_000);
        try (BlockOf block = new BlockOf().with("t", UTF8, texts.toArray())) {
            List<Expression> tests = tests(col("t"));
            for (int i = 0; i < tests.size(); i++) {
                boolean numeric = tests.get(i).toString().contains("numeric");
                List<Object> actual = block.eval(tests.get(i));
                for (int row = 0; row < texts.size(); row++) {
                    List<?> point = known.get(row);
                    boolean ideograph = numeric && point.get(2).toString().startsWith("L");
                    // Unicode 16 made some modifier letters lower case.
                    if (i >= 8 && point.get(2).equals("Lm")) {
                        continue;
                    }
                    boolean wanted = point.get(1).toString().charAt(i) == '1';
                    boolean expected = ideograph ? tests.get(i).toString().contains("alpha") : wanted;
                    if (!actual.get(row).equals(expected)) {
                        throw new AssertionError(String.format(
                                "%s of code point %s is %s, in Python %s",
                                tests.get(i), point.getFirst(), actual.get(row), expected));
                    }
                }
            }
        }
    }

    private static String category(int code) {
        String[] names = {
            "Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Me", "Mc", "Nd", "Nl", "No", "Zs", "Zl", "Zp", "Cc", "Cf", "",
            "Co", "Cs", "Pd", "Ps", "Pe", "Pc", "Po", "Sm", "Sc", "Sk", "So", "Pi", "Pf"
        };
        return names[Character.getType(code)];
    }

    private void checkTexts(List<String> texts, List<String> others, Map<?, ?> expected) {
        List<Object> first = new ArrayList<>(texts);
        List<Object> second = new ArrayList<>(others);
        first.add(null);
        second.add("a");
        try (BlockOf block = new BlockOf().with("t", UTF8, first.toArray()).with("o", UTF8, second.toArray())) {
            Expression t = col("t");
            List<Expression> tests = tests(t);
            for (int i = 0; i < tests.size(); i++) {
                List<Object> wanted = new ArrayList<>();
                int position = i;
                ((List<?>) expected.get("tests")).forEach(a -> wanted.add(((String) a).charAt(position) == '1'));
                check(block, tests.get(i), wanted);
            }
            check(block, t.capitalize(), (List<?>) expected.get("capitalize"));
            check(block, t.title(), (List<?>) expected.get("title"));
            check(block, t.swapCase(), (List<?>) expected.get("swapCase"));
            check(block, t.center(7, "*"), (List<?>) expected.get("center"));
            check(block, t.center(8, "😀"), (List<?>) expected.get("centerEven"));
            check(block, t.countMatches("ab"), (List<?>) expected.get("count"));
            check(block, t.countMatches(""), (List<?>) expected.get("countEmpty"));
            check(block, t.splitWhitespace(), (List<?>) expected.get("words"));
            check(block, t.regexCount("a*b|😀"), (List<?>) expected.get("regexCount"));
            check(block, t.regexIndexOf("b+|😀"), (List<?>) expected.get("regexFind"));
            check(block, t.replaceSlice(1, 3, "<>"), (List<?>) expected.get("replaceSlice"));
            check(block, t.normalize("NFKD"), (List<?>) expected.get("normalize"));
            check(block, t.levenshteinDistance(col("o")), (List<?>) expected.get("distance"));
            check(block, t.jaccardSimilarity(col("o")), (List<?>) expected.get("jaccard"));
        }
    }

    /// The last row is null, and so is its result; a slice gives the same as the whole.
    private void check(BlockOf block, Expression expression, List<?> expected) {
        List<Object> actual = block.eval(expression);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(plain(actual.get(i)))
                    .as("%s of %s, seed %d", expression, block.eval(col("t")).get(i), seed)
                    .isEqualTo(plain(expected.get(i)));
        }
        assertThat(actual.getLast()).isNull();
        assertThat(block.eval(expression, 3, 40)).isEqualTo(actual.subList(3, 40));
    }

    private static Object plain(Object value) {
        return value instanceof Number number ? (Object) number.doubleValue() : value;
    }

    private static void checkUrls(List<?> expected) {
        List<String> names = List.of("scheme", "user", "password", "host", "port", "path", "query", "fragment");
        try (BlockOf block = new BlockOf().with("u", UTF8, URLS.toArray())) {
            for (int i = 0; i < names.size(); i++) {
                List<Object> parts = block.eval(col("u").parseUrl().field(names.get(i)));
                for (int row = 0; row < URLS.size(); row++) {
                    assertThat(plain(parts.get(row)))
                            .as("%s of %s", names.get(i), URLS.get(row))
                            .isEqualTo(plain(((List<?>) expected.get(row)).get(i)));
                }
            }
        }
    }

    @Test
    void nullsGiveNull() {
        try (BlockOf block = new BlockOf().with("u", UTF8, null, "a:b").with("n", DataType.NULL, null, null)) {
            assertThat(block.eval(col("u").parseUrl()).getFirst()).isNull();
            assertThat(block.eval(col("u").levenshteinDistance(col("n")))).containsExactly(null, null);
            assertThat(block.eval(col("n").isAlpha())).containsExactly(null, null);
        }
    }

    @Test
    void badArgumentsAreSentences() {
        try (BlockOf block = new BlockOf().with("t", UTF8, "ab", "a")) {
            assertThatThrownBy(() -> block.eval(col("t").center(5, "ab")))
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("one character fills, not 'ab'.");
            assertThatThrownBy(() -> block.eval(col("t").normalize("NFX")))
                    .hasMessageContaining("'NFX' is no normal form of Unicode. Use NFC, NFD, NFKC or NFKD.");
            assertThatThrownBy(() -> col("t").replaceSlice(3, 2, ""))
                    .hasMessageContaining("a slice begins at 0 or later and does not end before it begins.");
            assertThatThrownBy(() -> block.eval(col("t").regexExtractAll("(a)", 2)))
                    .hasMessageContaining("there is no group 2; the pattern has 1 groups.");
            assertThatThrownBy(() -> block.eval(col("t").hammingDistance("ab")))
                    .hasMessageContaining("the texts have 1 and 2 characters, and only texts of one length have a"
                            + " Hamming distance, in row 1 of the block.");
            assertThatThrownBy(() -> block.eval(col("t").length().isAlpha()))
                    .hasMessageContaining("is int32, but is_alpha needs a string there. Cast it.");
        }
    }

    private static String json(Object value) {
        StringBuilder out = new StringBuilder();
        if (value instanceof List<?> list) {
            for (Object each : list) {
                out.append(out.isEmpty() ? '[' : ',').append(json(each));
            }
            return out.append(']').toString();
        }
        value.toString().chars().forEach(c -> out.append(String.format("\\u%04x", c)));
        return "\"" + out + "\"";
    }
}

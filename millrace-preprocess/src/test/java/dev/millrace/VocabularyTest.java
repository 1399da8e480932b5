package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.batch.Row;
import dev.millrace.preprocess.Categorizer;
import dev.millrace.preprocess.CountVectorizer;
import dev.millrace.preprocess.Fitted;
import dev.millrace.preprocess.HashingVectorizer;
import dev.millrace.preprocess.MultiHotEncoder;
import dev.millrace.preprocess.Preprocessor;
import dev.millrace.preprocess.TargetEncoder;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Preprocessors that count what is in texts and lists, or learn from another column, against counts in Java; each goes
/// through a file.
class VocabularyTest {
    record Article(long id, String text, List<String> tags, String kind, Double clicks) {}

    private final Random random = new Random(Seeds.seed());

    @TempDir
    Path folder;

    private List<Article> articles() {
        List<Article> articles = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            List<String> words = new ArrayList<>();
            for (int n = random.nextInt(6); n > 0; n--) {
                words.add(List.of("a", "b", "bb", "é", "").get(random.nextInt(5)));
            }
            List<String> tags = new ArrayList<>(words);
            if (random.nextInt(5) == 0) {
                tags.add(null);
            }
            articles.add(new Article(
                    i,
                    random.nextInt(7) == 0 ? null : String.join(" ", words),
                    random.nextInt(7) == 0 ? null : tags,
                    random.nextInt(7) == 0 ? null : List.of("x", "y", "z").get(random.nextInt(3)),
                    random.nextInt(7) == 0 ? null : random.nextInt(9) / 2.0));
        }
        return articles;
    }

    private List<Row> transformed(Session session, List<Article> articles, Preprocessor preprocessor) {
        Dataset dataset = session.items(articles, 3);
        Fitted fitted = preprocessor.fit(dataset);
        Path file = folder.resolve("fitted.json");
        fitted.save(file);
        assertThat(Fitted.load(file)).isEqualTo(fitted);
        return Fitted.load(file).transform(dataset).sort("id").takeAll();
    }

    @Test
    void tokensAndElementsAreCounted() throws Exception {
        List<Article> articles = articles();
        TreeSet<String> tokens = new TreeSet<>();
        TreeSet<String> elements = new TreeSet<>();
        for (Article each : articles) {
            if (each.text() != null) {
                tokens.addAll(List.of(each.text().split(" ", -1)));
            }
            if (each.tags() != null) {
                each.tags().stream().filter(tag -> tag != null).forEach(elements::add);
            }
        }
        try (Session session = Session.open()) {
            List<Row> counted =
                    transformed(session, articles, CountVectorizer.of("text").into("o"));
            List<Row> hot =
                    transformed(session, articles, MultiHotEncoder.of("tags").into("o"));
            List<Row> hashed = transformed(
                    session, articles, HashingVectorizer.of(7, "text").into("o"));
            for (int i = 0; i < articles.size(); i++) {
                String text = articles.get(i).text();
                List<String> parts = text == null ? List.of() : List.of(text.split(" ", -1));
                List<String> tags = articles.get(i).tags() == null
                        ? List.of()
                        : articles.get(i).tags();
                assertThat(counted.get(i).get("o")).isEqualTo(counts(tokens, parts));
                assertThat(hot.get(i).get("o")).isEqualTo(counts(elements, tags));
                List<Long> hashes = new ArrayList<>(Collections.nCopies(7, 0L));
                for (String part : parts) {
                    byte[] hash = MessageDigest.getInstance("SHA-256").digest(part.getBytes(StandardCharsets.UTF_8));
                    int place =
                            new BigInteger(1, hash).mod(BigInteger.valueOf(7)).intValue();
                    hashes.set(place, hashes.get(place) + 1);
                }
                assertThat(hashed.get(i).get("o")).isEqualTo(hashes);
            }
        }
    }

    private static List<Long> counts(Set<String> vocabulary, List<String> parts) {
        return vocabulary.stream()
                .map(word -> parts.stream().filter(word::equals).count())
                .toList();
    }

    @Test
    void onlyTheMostFrequentAreKeptIfAsked() {
        List<Article> articles = List.of(
                new Article(0, "b a b c", List.of("q", "p", "q"), "x", 1.0),
                new Article(1, "b a", List.of("r", "p", "q"), "x", 1.0));
        try (Session session = Session.open()) {
            List<Row> counted =
                    transformed(session, articles, CountVectorizer.of("text").mostFeatures(2));
            assertThat(counted.get(0).get("text")).isEqualTo(List.of(1L, 2L));
            List<Row> hot =
                    transformed(session, articles, MultiHotEncoder.of("tags").mostCategories(1));
            assertThat(hot.get(0).get("tags")).isEqualTo(List.of(2L));
        }
    }

    @Test
    void categoriesAreADictionaryAndOthersAreMissing() {
        List<Article> articles = articles();
        try (Session session = Session.open()) {
            Dataset dataset = session.items(articles, 3);
            Fitted fitted = Categorizer.of("kind").fit(dataset);
            assertThat(fitted.transform(dataset).schema().type("kind")).isEqualTo(DataType.dictionary(DataType.UTF8));
            List<Row> rows = transformed(session, articles, Categorizer.of("kind"));
            for (int i = 0; i < articles.size(); i++) {
                assertThat(rows.get(i).get("kind")).isEqualTo(articles.get(i).kind());
            }
            List<Article> others = List.of(new Article(0, "", List.of(), "new", 0.0));
            assertThat(fitted.transform(session.items(others))
                            .takeAll()
                            .getFirst()
                            .get("kind"))
                    .isNull();
        }
    }

    @Test
    void targetsAreMeansThatAreDrawnTowardsTheMeanOfAll() {
        List<Article> articles = articles();
        TreeMap<String, double[]> sums = new TreeMap<>();
        double sum = 0;
        double count = 0;
        for (Article each : articles) {
            if (each.clicks() != null) {
                sum += each.clicks();
                count++;
                double[] of = sums.computeIfAbsent(String.valueOf(each.kind()), kind -> new double[2]);
                of[0] += each.clicks();
                of[1]++;
            }
        }
        try (Session session = Session.open()) {
            List<Row> rows = transformed(
                    session,
                    articles,
                    TargetEncoder.of("clicks", "kind").smoothing(3).into("o"));
            for (int i = 0; i < articles.size(); i++) {
                String kind = articles.get(i).kind();
                double[] of = sums.get(String.valueOf(kind));
                double expected = kind == null ? sum / count : (of[0] + 3 * sum / count) / (of[1] + 3);
                assertThat(rows.get(i).getDouble("o")).isCloseTo(expected, within(1e-12));
            }
        }
    }

    @Test
    void wrongColumnsAreSentences() {
        try (Session session = Session.open()) {
            Dataset dataset = session.items(articles(), 3);
            assertThatThrownBy(() -> CountVectorizer.of("id").fit(dataset))
                    .hasMessageContaining("CountVectorizer: the column 'id' is int64, but texts are needed.");
            assertThatThrownBy(() -> MultiHotEncoder.of("text").fit(dataset))
                    .hasMessageContaining(
                            "MultiHotEncoder: the column 'text' is " + DataType.UTF8 + ", but lists of booleans,");
            assertThatThrownBy(() -> TargetEncoder.of("text", "kind").fit(dataset))
                    .hasMessageContaining(
                            "TargetEncoder: the column 'text' is " + DataType.UTF8 + ", but numbers are needed.");
            assertThatThrownBy(() -> HashingVectorizer.of(0, "text"))
                    .hasMessageContaining("the list needs 1 element or more, not 0.");
        }
    }
}

package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.Behaviour.column;
import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.preprocess.Chain;
import dev.millrace.preprocess.Concatenator;
import dev.millrace.preprocess.FeatureHasher;
import dev.millrace.preprocess.Fitted;
import dev.millrace.preprocess.LabelEncoder;
import dev.millrace.preprocess.MaxAbsScaler;
import dev.millrace.preprocess.MinMaxScaler;
import dev.millrace.preprocess.OneHotEncoder;
import dev.millrace.preprocess.OrdinalEncoder;
import dev.millrace.preprocess.Preprocessor;
import dev.millrace.preprocess.RobustScaler;
import dev.millrace.preprocess.SimpleImputer;
import dev.millrace.preprocess.StandardScaler;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Columns made ready for models. Expected numbers are Ray Data's, recorded by running it, unless a test says
/// otherwise.
interface PreprocessorBehaviour extends Behaviour {
    record Numbers(Double a, long b, double c) {}

    record Words(String s, Long n) {}

    private Dataset numbers() {
        return session()
                .items(
                        List.of(
                                new Numbers(1.0, 10, 5),
                                new Numbers(2.0, 20, 5),
                                new Numbers(null, 30, 5),
                                new Numbers(4.0, 0, 5),
                                new Numbers(10.0, -40, 5)),
                        2);
    }

    private Dataset words() {
        return session()
                .items(
                        List.of(
                                new Words("red", 3L),
                                new Words("blue", 1L),
                                new Words("green", 3L),
                                new Words("blue", 2L)),
                        3);
    }

    private Dataset otherWords() {
        return session().items(List.of(new Words("pink", 9L), new Words("blue", 1L)));
    }

    private Dataset wordsWithNull() {
        return session().items(List.of(new Words(null, 9L), new Words("blue", 1L)));
    }

    @Test
    default void aStandardScalerMakesAMeanOfZeroAndADeviationOfOne() {
        List<Row> rows =
                StandardScaler.of("a", "b", "c").fitTransform(numbers()).takeAll();
        assertNear(
                column("a", rows),
                -0.9309493362512627,
                -0.6445033866354896,
                null,
                -0.0716114874039433,
                1.6470642102906956);
        assertNear(
                column("b", rows),
                0.24828176658071038,
                0.6620847108818944,
                1.0758876551830783,
                -0.1655211777204736,
                -1.8207329549252094);
        assertThat(column("c", rows)).containsExactly(0.0, 0.0, 0.0, 0.0, 0.0);
        Dataset beside = StandardScaler.of("a").into("a2").fitTransform(numbers());
        assertThat(beside.columns()).containsExactly("a", "b", "c", "a2");
        assertThat(column("a", beside)).containsExactly(1.0, 2.0, null, 4.0, 10.0);
    }

    /// The last bits of a deviation depend on how rows came together.
    private static void assertNear(List<Object> values, Double... expected) {
        assertThat(values).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] == null) {
                assertThat(values.get(i)).isNull();
            } else {
                assertThat((Double) values.get(i)).isCloseTo(expected[i], offset(1e-12));
            }
        }
    }

    @Test
    default void aMinMaxScalerMakesZeroToOne() {
        List<Row> rows = MinMaxScaler.of("a", "b", "c").fitTransform(numbers()).takeAll();
        assertThat(column("a", rows)).containsExactly(0.0, 0.1111111111111111, null, 0.3333333333333333, 1.0);
        assertThat(column("b", rows))
                .containsExactly(0.7142857142857143, 0.8571428571428571, 1.0, 0.5714285714285714, 0.0);
        assertThat(column("c", rows)).containsOnly(0.0);
    }

    @Test
    default void aMaxAbsScalerDividesByTheLargestMagnitude() {
        List<Row> rows = MaxAbsScaler.of("a", "b", "c").fitTransform(numbers()).takeAll();
        assertThat(column("a", rows)).containsExactly(0.1, 0.2, null, 0.4, 1.0);
        assertThat(column("b", rows)).containsExactly(0.25, 0.5, 0.75, 0.0, -1.0);
        assertThat(column("c", rows)).containsOnly(1.0);
    }

    @Test
    default void aRobustScalerDividesByTheDistanceOfQuantiles() {
        List<Row> rows = RobustScaler.of("a", "b", "c").fitTransform(numbers()).takeAll();
        assertThat(column("a", rows)).containsExactly(-0.375, -0.25, null, 0.0, 0.75);
        assertThat(column("b", rows)).containsExactly(0.0, 0.5, 1.0, -0.5, -2.5);
        assertThat(column("c", rows)).containsOnly(0.0);
        // scikit-learn's figures: quantiles between values.
        List<Row> exact = RobustScaler.of("b").exactly().fitTransform(numbers()).takeAll();
        assertThat(column("b", exact)).containsExactly(0.0, 0.5, 1.0, -0.5, -2.5);
        List<Row> wide = RobustScaler.of("a")
                .exactly()
                .quantiles(0.1, 0.9)
                .fitTransform(numbers())
                .takeAll();
        assertThat((Double) wide.getFirst().get("a")).isBetween(-0.2899, -0.2898);
    }

    /// A column without values stays without; NaN is missing to all of them (to Ray Data's standard scaler it is not).
    @Test
    default void missingValuesAreNotLearntFromAndStayMissing() {
        Dataset none = session()
                .items(Row.of("a", null, "k", 1), Row.of("a", 2.0, "k", 2))
                .filter(col("k").eq(1));
        Dataset nan = session().items(1.0, Double.NaN, 3.0);
        List<Preprocessor> scalers =
                List.of(StandardScaler.of("a"), MinMaxScaler.of("a"), MaxAbsScaler.of("a"), RobustScaler.of("a"));
        for (Preprocessor scaler : scalers) {
            assertThat(column("a", scaler.fitTransform(none))).containsExactly((Object) null);
        }
        assertThat(column("item", MinMaxScaler.of("item").fitTransform(nan))).containsExactly(0.0, Double.NaN, 1.0);
        List<Object> standard = column("item", StandardScaler.of("item").fitTransform(nan));
        assertThat(standard.get(1)).isEqualTo(Double.NaN);
        assertNear(List.of(standard.getFirst(), standard.getLast()), -1.0, 1.0);
        assertThat(column("item", RobustScaler.of("item").fitTransform(nan))).containsExactly(-1.0, Double.NaN, 0.0);
    }

    @Test
    default void numbersOfAnyTypeAreScaled() {
        Dataset decimals = session()
                .items(
                        Row.of("d", new BigDecimal("1.50"), "i", (byte) 1, "f", 1f),
                        Row.of("d", new BigDecimal("2.50"), "i", (byte) 3, "f", 3f));
        List<Row> rows = MinMaxScaler.of("d", "i", "f").fitTransform(decimals).takeAll();
        for (String name : List.of("d", "i", "f")) {
            assertThat(column(name, rows)).containsExactly(0.0, 1.0);
        }
    }

    @Test
    default void anOrdinalEncoderNumbersValuesInTheirOrder() {
        Fitted fitted = OrdinalEncoder.of("s", "n").fit(words());
        assertThat(column("s", fitted.transform(words()))).containsExactly(2L, 0L, 1L, 0L);
        assertThat(column("n", fitted.transform(words()))).containsExactly(2L, 0L, 2L, 1L);
        assertThat(column("s", fitted.transform(otherWords()))).containsExactly(null, 0L);
        assertThat(column("n", fitted.transform(otherWords()))).containsExactly(null, 0L);
        assertError(() -> OrdinalEncoder.of("s").fit(wordsWithNull()))
                .hasMessage("OrdinalEncoder: the column 's' has 1 missing values. Fill them first (SimpleImputer), or"
                        + " allow them with allowMissing().");
        assertError(() -> fitted.transform(wordsWithNull()).takeAll()).hasMessageContaining("there is null in row 0");
        Fitted lenient = OrdinalEncoder.of("s").allowMissing().fit(wordsWithNull());
        assertThat(column("s", lenient.transform(wordsWithNull()))).containsExactly(null, 0L);
        Fitted strict = OrdinalEncoder.of("s").errorOnUnknown().fit(words());
        assertError(() -> strict.transform(otherWords()).takeAll())
                .hasMessageContaining("'pink' is none of the 3 categories that were learnt, in row 0")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.DATA);
    }

    @Test
    default void aOneHotEncoderHasANumberForEachValue() {
        Fitted fitted = OneHotEncoder.of("s", "n").fit(words());
        assertThat(fitted.transform(words()).schema().type("s")).isEqualTo(DataType.fixedList(DataType.UINT8, 3));
        assertThat(lists("s", fitted.transform(words())))
                .containsExactly(List.of(0, 0, 1), List.of(1, 0, 0), List.of(0, 1, 0), List.of(1, 0, 0));
        assertThat(lists("n", fitted.transform(words())))
                .containsExactly(List.of(0, 0, 1), List.of(1, 0, 0), List.of(0, 0, 1), List.of(0, 1, 0));
        assertThat(lists("s", fitted.transform(otherWords()))).containsExactly(List.of(0, 0, 0), List.of(1, 0, 0));
        assertThat(lists("s", OneHotEncoder.of("s").mostCategories("s", 2).fitTransform(words())))
                .containsExactly(List.of(0, 1), List.of(1, 0), List.of(0, 0), List.of(1, 0));
        assertError(() -> fitted.transform(wordsWithNull()).takeAll()).hasMessageContaining("null");
        assertError(() -> OneHotEncoder.of("s").mostCategories("x", 2))
                .hasMessage("OneHotEncoder: 'x' is none of the columns to encode, which are [s].");
    }

    private static List<List<Integer>> lists(String name, Dataset dataset) {
        List<List<Integer>> lists = new ArrayList<>();
        for (Object list : column(name, dataset)) {
            lists.add(((List<?>) list)
                    .stream().map(value -> ((Number) value).intValue()).toList());
        }
        return lists;
    }

    @Test
    default void labelsComeBackFromTheirNumbers() {
        Fitted fitted = LabelEncoder.of("s").into("label").fit(words());
        Dataset numbered = fitted.transform(words()).drop("s");
        assertThat(column("label", numbered)).containsExactly(2L, 0L, 1L, 0L);
        assertThat(column("s", fitted.inverse().transform(numbered))).containsExactly("red", "blue", "green", "blue");
        Fitted scaled = StandardScaler.of("b").fit(numbers());
        List<Object> back = column("b", scaled.inverse().transform(scaled.transform(numbers())));
        for (int i = 0; i < 5; i++) {
            assertThat((Double) back.get(i)).isCloseTo(new double[] {10, 20, 30, 0, -40}[i], offset(1e-12));
        }
        assertError(() -> OneHotEncoder.of("s").fit(words()).inverse()).hasMessageContaining("'s' cannot be undone");
    }

    /// NaN is missing (to some of Ray Data's strategies it is not).
    @Test
    default void anImputerFillsWhatIsMissing() {
        Dataset holes = session()
                .items(
                        Row.of("a", 1.0, "s", "x"),
                        Row.of("a", null, "s", "y"),
                        Row.of("a", 3.0, "s", null),
                        Row.of("a", Double.NaN, "s", "x"),
                        Row.of("a", 3.0, "s", "x"));
        double mean = 7.0 / 3;
        assertNear(column("a", SimpleImputer.mean("a").fitTransform(holes)), 1.0, mean, 3.0, mean, 3.0);
        List<Row> rows =
                SimpleImputer.mostFrequent("a", "s").fitTransform(holes).takeAll();
        assertThat(column("a", rows)).containsExactly(1.0, 3.0, 3.0, 3.0, 3.0);
        assertThat(column("s", rows)).containsExactly("x", "y", "x", "x", "x");
        assertThat(column("s", SimpleImputer.constant("?", "s").fitTransform(holes)))
                .containsExactly("x", "y", "?", "x", "x");
        assertThat(column("a", SimpleImputer.constant(-1, "a").fitTransform(holes)))
                .containsExactly(1.0, -1.0, 3.0, -1.0, 3.0);
        assertThat(column(
                        "item",
                        SimpleImputer.mean("item").fitTransform(session().items(1, null, 4))))
                .containsExactly(1.0, 2.5, 4.0);
        assertThat(column(
                        "item",
                        SimpleImputer.mostFrequent("item")
                                .fitTransform(session().items(1, null, 4, 4))))
                .containsExactly(1, 4, 4, 4);
        assertError(() -> SimpleImputer.constant("?", "a").fit(holes))
                .hasMessage("SimpleImputer: the constant ? does not fit the column 'a', which is float64.");
    }

    @Test
    default void featuresAreHashedByTheirNames() {
        Dataset counts = session()
                .items(
                        Row.of("I", 1, "like", 1, "dislike", 0, "Python", 1),
                        Row.of("I", 1, "like", 0, "dislike", 1, "Python", 2),
                        Row.of("I", 1, "like", null, "dislike", 1, "Python", 2));
        Dataset hashed =
                FeatureHasher.of(4, "h", "I", "like", "dislike", "Python").fitTransform(counts);
        assertThat(vectors("h", hashed))
                .containsExactly(
                        List.of(1.0, 0.0, 0.0, 2.0), List.of(1.0, 0.0, 0.0, 3.0), List.of(1.0, 0.0, 0.0, Double.NaN));
        assertThat(hashed.columns()).containsExactly("I", "like", "dislike", "Python", "h");
    }

    private static List<List<Double>> vectors(String name, Dataset dataset) {
        List<List<Double>> vectors = new ArrayList<>();
        for (Object value : column(name, dataset)) {
            vectors.add(Arrays.stream(((Tensor) value).toDoubles()).boxed().toList());
        }
        return vectors;
    }

    @Test
    default void aConcatenatorMakesOneVector() {
        Dataset joined = Concatenator.of("a", "b").fitTransform(numbers());
        assertThat(joined.columns()).containsExactly("c", "concat_out");
        assertThat(joined.schema().type("concat_out")).isEqualTo(DataType.tensor(DataType.FLOAT64, 2));
        assertThat(vectors("concat_out", joined))
                .containsExactly(
                        List.of(1.0, 10.0),
                        List.of(2.0, 20.0),
                        List.of(Double.NaN, 30.0),
                        List.of(4.0, 0.0),
                        List.of(10.0, -40.0));
        // Lists and vectors come with all their elements.
        Dataset features = Chain.of(
                        OneHotEncoder.of("s"),
                        Concatenator.of("s", "n").into("one"),
                        Concatenator.of("one").asFloats().into("features"))
                .fitTransform(words());
        assertThat(features.schema().type("features")).isEqualTo(DataType.tensor(DataType.FLOAT32, 4));
        assertThat(((Tensor) column("features", features).getFirst()).toFloats())
                .containsExactly(0, 0, 1, 3);
    }

    @Test
    default void aChainFeedsEachWithWhatTheOnesBeforeMade() {
        Chain chain = Chain.of(
                SimpleImputer.mean("a"),
                StandardScaler.of("a"),
                Concatenator.of("a", "b").into("f"));
        assertThat(chain.columns()).containsExactly("a", "b");
        Dataset prepared = chain.fitTransform(numbers());
        List<List<Double>> vectors = vectors("f", prepared);
        double[] expected = {-1.04083300, -0.72057669, 0, -0.08006408, 1.84147377};
        for (int i = 0; i < expected.length; i++) {
            assertThat(vectors.get(i).getFirst()).isBetween(expected[i] - 1e-8, expected[i] + 1e-8);
        }
        assertThat(column("c", prepared)).containsOnly(5.0);
    }

    @Test
    default void whatWasLearntIsTheSameAfterItWasSaved() throws IOException {
        record Typed(String t, boolean b, LocalDate d, double f, BigDecimal m) {}
        double infinite = Double.POSITIVE_INFINITY;
        Dataset typed = session()
                .items(
                        new Typed("a \"quoted\" ü", true, LocalDate.of(2026, 1, 2), 1.5, new BigDecimal("1.10")),
                        new Typed("\n", false, LocalDate.of(2025, 1, 2), infinite, new BigDecimal("7.00")));
        Fitted fitted = Chain.of(
                        OrdinalEncoder.of("t", "b", "d", "f", "m").into("t2", "b2", "d2", "f2", "m2"),
                        OneHotEncoder.of("t").allowMissing().errorOnUnknown().into("t3"),
                        SimpleImputer.mostFrequent("t", "d", "m"),
                        SimpleImputer.constant(7, "f"),
                        RobustScaler.of("m").into("m3"),
                        FeatureHasher.of(3, "h", "f", "m"),
                        Concatenator.of("t3", "h").asFloats().into("v"))
                .fit(typed);
        Path file = folder().resolve("fitted.json");
        fitted.save(file);
        Fitted loaded = Fitted.load(file);
        assertThat(loaded).isEqualTo(fitted);
        assertThat(loaded.transform(typed).takeAll())
                .isEqualTo(fitted.transform(typed).takeAll());
        assertThat(column("t2", loaded.transform(typed))).containsExactly(1L, 0L);
        Path other = folder().resolve("link.json");
        Files.createLink(other, file);
        new Fitted(fitted.steps().subList(0, 1)).save(file);
        assertThat(Fitted.load(file).steps()).hasSize(1);
        try (Stream<Path> there = Files.list(folder())) {
            assertThat(there).noneMatch(path -> path.getFileName().toString().startsWith("."));
        }
        assertThat(Fitted.load(other)).as("what was there is not written over").isEqualTo(fitted);
        assertError(() -> Fitted.fromJson("{\"millracePreprocessor\":2}"))
                .hasMessage("This is no preprocessor that this version reads: its version is 2.");
        assertError(() -> Fitted.fromJson("null"))
                .hasMessage("This is no preprocessor that this version reads: it is no JSON object.");
        assertError(() -> Fitted.fromJson("[1")).hasMessageContaining("no preprocessor that this version reads");
        assertError(() -> Fitted.fromJson("{\"millracePreprocessor\": 1}"))
                .hasMessage(
                        "This is no preprocessor that this version reads: there is no 'steps' where one is needed.");
        assertError(() -> Fitted.fromJson("{\"millracePreprocessor\": 1, \"steps\": [{\"step\": \"scale\","
                        + " \"inputs\": [\"a\"], \"output\": \"a\", \"scale\": 2}]}"))
                .hasMessage(
                        "This is no preprocessor that this version reads: there is no 'center' where one is needed.");
        assertError(() -> Fitted.load(folder().resolve("none.json"))).hasMessageContaining("none.json");
    }

    @Test
    default void batchesAreTransformedWhereAModelIsServed() {
        Fitted fitted = Chain.of(
                        StandardScaler.of("a"),
                        OrdinalEncoder.of("b"),
                        Concatenator.of("a", "b").into("f"))
                .fit(numbers());
        Batch served = fitted.transformBatch(Batch.of("a", new double[] {1, 2}, "b", new long[] {30, 31}));
        assertThat(served.columns()).containsExactly("f");
        assertThat(((Tensor) served.row(0).get("f")).toDoubles())
                .containsExactly(new double[] {-0.9309493362512627, 4.0}, offset(1e-12));
        assertThat(((Tensor) served.row(1).get("f")).toDoubles()[0]).isCloseTo(-0.6445033866354896, offset(1e-12));
        assertThat(((Tensor) served.row(1).get("f")).toDoubles()[1]).isNaN();
    }

    @Test
    default void mistakesAreErrorsAtTheCall() {
        assertError(() -> StandardScaler.of("zz").fit(numbers()))
                .hasMessageContaining("StandardScaler")
                .hasMessageContaining("'zz'")
                .hasMessageContaining("[a, b, c]");
        assertError(() -> MinMaxScaler.of("s").fit(words()))
                .hasMessage("MinMaxScaler: the column 's' is utf8, but numbers are needed.");
        assertError(() -> SimpleImputer.mean("s").fit(words()))
                .hasMessage("SimpleImputer: the column 's' is utf8, but numbers are needed.");
        assertError(() -> OrdinalEncoder.of("l").fit(session().items(Row.of("l", List.of(1)))))
                .hasMessage("OrdinalEncoder: the column 'l' is list<int32>, but booleans, numbers, texts or dates are"
                        + " needed.");
        assertError(() -> Concatenator.of("s", "n").fit(words()))
                .hasMessage("concatenate: numbers, or lists and tensors of one size, are needed, but a column is"
                        + " utf8.");
        assertError(() -> StandardScaler.of("a", "a")).hasMessage("StandardScaler: the column 'a' is named twice.");
        assertError(() -> StandardScaler.of()).hasMessage("StandardScaler: give at least one column.");
        assertError(() -> StandardScaler.of("a", "b").into("x"))
                .hasMessage("StandardScaler: 1 output columns for 2 columns. Give one for each of [a, b].");
        assertError(() -> RobustScaler.of("a").quantiles(0.8, 0.2)).hasMessageContaining("0.8 and 0.2");
        Fitted fitted = OrdinalEncoder.of("s").fit(words());
        assertError(() -> fitted.transform(session().items(Row.of("s", 1))))
                .hasMessageContaining("the categories were learnt from utf8, but the column is int32");
        assertError(() -> fitted.transform(numbers())).hasMessageContaining("'s'");
    }
}

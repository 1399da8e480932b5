package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.preprocess.Chain;
import dev.millrace.preprocess.CustomKBinsDiscretizer;
import dev.millrace.preprocess.Fitted;
import dev.millrace.preprocess.Normalizer;
import dev.millrace.preprocess.PowerTransformer;
import dev.millrace.preprocess.Preprocessor;
import dev.millrace.preprocess.UniformKBinsDiscretizer;
import dev.millrace.testing.Seeds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Preprocessors that compute each row by a formula, against the formula in DuckDB, after a way through JSON.
class RowFormulasTest {
    record Pair(long id, Double x, Long y) {}

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    private List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>(List.of(new Pair(0, 0.0, 0L), new Pair(1, -0.0, 3L), new Pair(2, 1.5, -2L)));
        for (int i = 3; i < 300; i++) {
            Double x = random.nextInt(9) == 0 ? null : random.nextInt(-40, 41) / 8.0;
            Long y = random.nextInt(9) == 0 ? null : random.nextLong(-5, 6);
            pairs.add(new Pair(i, x, y));
        }
        return pairs;
    }

    private static Map<Preprocessor, String> cases() {
        Map<Preprocessor, String> cases = new LinkedHashMap<>();
        String zero = "case when x = 0 and y = 0 then 0 else ";
        cases.put(Normalizer.of("x", "y").into("o", "p"), zero + "x / sqrt(x * x + y * y) end");
        cases.put(Normalizer.of("x", "y").by(Normalizer.Norm.L1).into("o", "p"), zero + "x / (abs(x) + abs(y)) end");
        cases.put(
                Normalizer.of("x", "y").by(Normalizer.Norm.MAX).into("o", "p"),
                "case when x is null or y is null then null when x = 0 and y = 0 then 0 else x / greatest(abs(x), abs(y)) end");
        for (double power : new double[] {-1.5, 0, 0.5, 1, 2, 3}) {
            String negative = power == 2 ? "-ln(1 - x)" : "-(pow(1 - x, 2 - (P)) - 1) / (2 - (P))";
            String positive = power == 0 ? "ln(x + 1)" : "(pow(x + 1, P) - 1) / (P)";
            String formula = "case when x < 0 then " + negative + " else " + positive + " end";
            cases.put(PowerTransformer.of(power, "x").into("o"), formula.replace("P", String.valueOf(power)));
        }
        cases.put(
                CustomKBinsDiscretizer.of(List.of(-3.0, 0.0, 1.5, 4.0), "x").into("o"),
                "case when x <= -3 then null when x <= 0 then 0 when x <= 1.5 then 1 when x <= 4 then 2 end");
        cases.put(
                CustomKBinsDiscretizer.of(List.of(-3.0, 0.0, 1.5, 4.0), "x")
                        .leftClosed()
                        .into("o"),
                "case when x < -3 then null when x < 0 then 0 when x < 1.5 then 1 when x < 4 then 2 end");
        cases.put(
                UniformKBinsDiscretizer.of(5, "y").into("o"),
                "case when y is null then null when y <= -3 then 0 when y <= -1 then 1 when y <= 1 then 2 when y <= 3 then 3 else 4 end");
        return cases;
    }

    @Test
    void formulasAreThoseOfTheLibrariesTheyAreNamedAfter() throws Exception {
        List<Pair> pairs = new ArrayList<>(pairs());
        pairs.add(new Pair(300, null, -5L));
        pairs.add(new Pair(301, null, 5L));
        try (Session session = Session.open();
                Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute("create table t(id bigint, x double, y bigint)");
            try (PreparedStatement insert = duck.prepareStatement("insert into t values (?, ?, ?)")) {
                for (Pair pair : pairs) {
                    insert.setLong(1, pair.id());
                    insert.setObject(2, pair.x());
                    insert.setObject(3, pair.y());
                    insert.executeUpdate();
                }
            }
            Dataset dataset = session.items(pairs, 3);
            for (Map.Entry<Preprocessor, String> each : cases().entrySet()) {
                Fitted fitted = Fitted.fromJson(each.getKey().fit(dataset).toJson());
                List<Row> rows = fitted.transform(dataset).sort("id").takeAll();
                int at = 0;
                try (ResultSet result = statement.executeQuery("select " + each.getValue() + " from t order by id")) {
                    while (result.next()) {
                        Number ours = (Number) rows.get(at).get("o");
                        double expected = result.getDouble(1);
                        String which = each.getKey() + " of " + pairs.get(at) + ", seed " + seed;
                        if (result.wasNull()) {
                            assertThat(ours).as(which).isNull();
                        } else {
                            assertThat(ours.doubleValue())
                                    .as(which)
                                    .isBetween(
                                            expected - 1e-9 * (1 + Math.abs(expected)),
                                            expected + 1e-9 * (1 + Math.abs(expected)));
                        }
                        at++;
                    }
                }
            }
        }
    }

    @Test
    void normalisedColumnsMayReplaceTheirInputs() {
        try (Session session = Session.open()) {
            Dataset dataset = session.items(List.of(new Pair(1, 3.0, 4L), new Pair(2, 0.0, 0L)), 1);
            Fitted fitted = new Chain(List.of(Normalizer.of("x", "y"))).fit(dataset);
            List<Row> rows = fitted.transform(dataset).takeAll();
            assertThat(fitted.transform(dataset).columns()).containsExactly("id", "x", "y");
            assertThat(rows.get(0).get("x")).isEqualTo(0.6);
            assertThat(rows.get(0).get("y")).isEqualTo(0.8);
            assertThat(rows.get(1).get("x")).isEqualTo(0.0);
        }
    }

    @Test
    void oneValueHasABinInTheMiddle() {
        try (Session session = Session.open()) {
            Dataset dataset = session.items(List.of(new Pair(1, 3.0, 4L), new Pair(2, null, 4L)), 1);
            Fitted fitted = UniformKBinsDiscretizer.of(2, "x", "y").fit(dataset);
            List<Row> rows = fitted.transform(dataset).takeAll();
            assertThat(rows.get(0).get("x")).isEqualTo(0L);
            assertThat(rows.get(1).get("x")).isNull();
            assertThatThrownBy(() ->
                            UniformKBinsDiscretizer.of(2, "x").fit(session.items(List.of(new Pair(1, null, 4L)), 1)))
                    .hasMessageContaining("UniformKBinsDiscretizer: the column 'x' has no values to learn from.");
        }
    }

    @Test
    void badBinsAreSentences() {
        assertThatThrownBy(() -> UniformKBinsDiscretizer.of(0, "x"))
                .hasMessageContaining("UniformKBinsDiscretizer: there must be 1 bin or more, not 0.");
        assertThatThrownBy(() -> CustomKBinsDiscretizer.of(List.of(1.0), "x"))
                .hasMessageContaining("CustomKBinsDiscretizer: a bin needs two edges, not 1.");
        assertThatThrownBy(() -> CustomKBinsDiscretizer.of(List.of(1.0, 1.0), "x"))
                .hasMessageContaining("CustomKBinsDiscretizer: the edges must ascend, but 1.0 follows 1.0.");
    }
}

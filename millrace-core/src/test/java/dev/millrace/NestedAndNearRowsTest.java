package dev.millrace;

import static dev.millrace.aggregate.Aggregates.define;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.list;
import static dev.millrace.expression.Expressions.struct;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregate.ColumnAggregate;
import dev.millrace.batch.Row;
import dev.millrace.column.Column;
import dev.millrace.column.LongColumn;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Fields of structs as columns, the nearest rows, rows without near duplicates, and aggregates over columns.
class NestedAndNearRowsTest {
    record Doc(long id, String text) {}

    record Point(long id, Double x, Double y) {}

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @Test
    void fieldsOfAStructBecomeColumnsInItsPlace() {
        try (Session session = Session.open()) {
            Dataset dataset = session.items(new Point(1, 2.0, 3.0), new Point(2, null, 5.0))
                    .select(col("id"), struct(col("x"), col("y").as("z")).as("p"), col("x").as("last"));
            Dataset flat = dataset.unnest("p");
            assertThat(flat.schema().names()).containsExactly("id", "x", "z", "last");
            List<Row> rows = flat.sort("id").takeAll();
            assertThat(rows.get(0).get("z")).isEqualTo(3.0);
            assertThat(rows.get(1).get("x")).isNull();
            assertThatThrownBy(() -> dataset.unnest("id"))
                    .hasMessageContaining("unnest needs a struct column, but 'id' is int64.");
            assertThatThrownBy(() -> dataset.rename("last", "x").unnest("p"))
                    .hasMessageContaining("unnest: the column 'x' would come twice");
        }
    }

    @Test
    void theNearestRowsAreThoseOfACompleteSearch() {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            points.add(new Point(i, random.nextInt(9) == 0 ? null : random.nextDouble(), random.nextDouble()));
        }
        List<Long> expected = points.stream()
                .filter(point -> point.x() != null)
                .sorted(Comparator.comparingDouble(point -> Math.hypot(point.x() - 0.5, point.y() - 0.25)))
                .limit(7)
                .map(Point::id)
                .toList();
        try (Session session = Session.open()) {
            List<Row> nearest = session.items(points, 4)
                    .withColumn("v", list(col("x"), col("y")))
                    .nearest(7, col("v").euclideanDistance(List.of(0.5, 0.25)))
                    .takeAll();
            assertThat(nearest.stream().map(row -> row.get("id")).toList())
                    .as("seed %d", seed)
                    .isEqualTo(expected);
            assertThat(nearest.getFirst().getDouble("distance")).isGreaterThanOrEqualTo(0);
            assertThatThrownBy(() -> session.range(3).nearest(0, col("id")))
                    .hasMessageContaining("nearest: ask for 1 row or more, not for 0.");
        }
    }

    @Test
    void almostEqualTextsAreRemoved() {
        List<Doc> docs = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            StringBuilder text = new StringBuilder();
            for (int word = 0; word < 60; word++) {
                text.append("w").append(i).append('x').append(word).append(' ');
            }
            docs.add(new Doc(3L * i, text.toString()));
            // The same words in other blanks, and one word in sixty replaced.
            docs.add(new Doc(3L * i + 1, text.toString().strip().replace(" ", "  ")));
            docs.add(new Doc(3L * i + 2, text.toString().replace("x7 ", "x777 ")));
        }
        docs.add(new Doc(1000, null));
        docs.add(new Doc(1001, null));
        try (Session session = Session.open()) {
            List<Row> left = session.items(docs, 3)
                    .dropNearDuplicates("text", 0.8)
                    .sort("id")
                    .takeAll();
            List<Long> kinds =
                    left.stream().map(row -> row.getLong("id") / 3).distinct().toList();
            List<Long> expected = new ArrayList<>();
            for (long i = 0; i < 40; i++) {
                expected.add(i);
            }
            expected.add(333L);
            // One of each kind is there; of 40 pairs with a similarity of 0.97 each is found with 0.9999.
            assertThat(kinds).isEqualTo(expected);
            assertThat(left.size()).isLessThanOrEqualTo(expected.size() + 1);
            assertThat(left.getFirst().size()).isEqualTo(2);
            assertThatThrownBy(() -> session.items(docs).dropNearDuplicates("text", 1))
                    .hasMessageContaining("the similarity must be above 0 and below 1, not 1.0.");
        }
    }

    /// The sum of squares and how many values came.
    static final class Squares implements ColumnAggregate<long[]> {
        @Override
        public long[] init() {
            return new long[2];
        }

        @Override
        public long[] accumulate(long[] state, Column values) {
            LongColumn longs = (LongColumn) values;
            for (long i = 0; i < longs.length(); i++) {
                state[0] += longs.isNull(i) ? 0 : longs.get(i) * longs.get(i);
                state[1]++;
            }
            return state;
        }

        @Override
        public long[] merge(long[] state, long[] other) {
            return new long[] {state[0] + other[0], state[1] + other[1]};
        }

        @Override
        public Object finish(long[] state) {
            return List.of(state[0], state[1]);
        }

        @Override
        public DataType type() {
            return DataType.list(DataType.INT64);
        }
    }

    record Pair(Long key, Long value) {}

    @Test
    void anAggregateOverColumnsGetsEachValueOnce() {
        List<Pair> pairs = new ArrayList<>();
        Map<Long, long[]> expected = new TreeMap<>();
        for (int i = 0; i < 5000; i++) {
            Pair pair = new Pair(random.nextLong(37), random.nextInt(9) == 0 ? null : random.nextLong(-50, 50));
            pairs.add(pair);
            long[] sums = expected.computeIfAbsent(pair.key(), key -> new long[2]);
            sums[0] += pair.value() == null ? 0 : pair.value() * pair.value();
            sums[1]++;
        }
        try (Session session = Session.open()) {
            Dataset dataset = session.items(pairs, 5);
            List<Row> rows = dataset.groupBy("key")
                    .aggregate(define("squares", "value", new Squares()))
                    .takeAll();
            assertThat(rows).hasSize(expected.size());
            for (Row row : rows) {
                long[] sums = expected.get(row.getLong("key"));
                assertThat(row.get("squares(value)")).as("seed %d", seed).isEqualTo(List.of(sums[0], sums[1]));
            }
            long all = expected.values().stream().mapToLong(sums -> sums[0]).sum();
            Row one = dataset.aggregate(define("squares", "value", new Squares()))
                    .takeAll()
                    .getFirst();
            assertThat(one.get("squares(value)")).isEqualTo(List.of(all, 5000L));
        }
    }
}

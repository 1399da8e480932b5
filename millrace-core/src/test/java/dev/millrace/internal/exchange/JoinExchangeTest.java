package dev.millrace.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.join.JoinColumns;
import dev.millrace.relation.AsOf;
import dev.millrace.relation.Join;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.PlainValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Joins from bundles to parts, of every kind, by shards and by a table that all tasks share, against nested loops.
class JoinExchangeTest {
    private static final int CASES = 20;
    private static final int MAX_ROWS = 60;
    private static final int PARTITIONS = 4;
    /// Pairs of types whose values meet; the second one has numbers that the first one has too.
    private static final List<List<DataType>> PAIRS = List.of(
            List.of(DataType.INT32, DataType.INT32),
            List.of(DataType.INT64, DataType.INT8),
            List.of(DataType.FLOAT64, DataType.INT16),
            List.of(DataType.UINT64, DataType.INT64),
            List.of(DataType.decimal(12, 2), DataType.INT8),
            List.of(DataType.decimal(12, 2), DataType.decimal(9, 4)),
            List.of(DataType.FLOAT32, DataType.FLOAT64),
            List.of(DataType.UTF8, DataType.dictionary(DataType.UTF8)),
            List.of(DataType.BOOL, DataType.BOOL),
            List.of(DataType.DATE, DataType.DATE),
            List.of(DataType.timestamp(TimeUnit.SECOND), DataType.timestamp(TimeUnit.MICROSECOND)));

    /// Both sides of a join and what should come out of it.
    private static final class Sides implements AutoCloseable {
        final Join join;
        final RandomBundles left;
        final RandomBundles right;
        final JoinReducer reducer;

        Sides(RandomCase each, Join.Kind kind) {
            int keys = kind == Join.Kind.CROSS ? 0 : 1 + each.random().nextInt(2);
            List<Field> leftFields = new ArrayList<>();
            List<Field> rightFields = new ArrayList<>();
            Join made = new Join(kind, List.of(), List.of(), "_left", "_right");
            for (int k = 0; k < keys; k++) {
                List<DataType> pair = each.oneOf(PAIRS);
                boolean turned = each.random().nextBoolean();
                // Of one name, both keys of a full join become one column, and a large uint64 does not fit int64.
                boolean fits = kind != Join.Kind.FULL || !pair.contains(DataType.UINT64);
                String name = each.random().nextBoolean() && fits ? "k" + k : "r" + k;
                leftFields.add(new Field("k" + k, pair.get(turned ? 1 : 0)));
                rightFields.add(new Field(name, pair.get(turned ? 0 : 1)));
                made = made.on("k" + k, name);
            }
            leftFields.add(new Field("v", DataType.UTF8));
            rightFields.add(new Field("w", DataType.FLOAT64));
            this.join = made;
            each.about(join.toString());
            this.left = new RandomBundles(each, each.rows(), leftFields);
            int rows = each.random().nextInt(each.rows() + 2);
            List<List<Object>> rightValues = new ArrayList<>();
            for (int k = 0; k < keys; k++) {
                rightValues.add(each.valuesLike(rightFields.get(k).type(), rows, left.columns.get(1 + k)));
            }
            rightValues.add(each.values(DataType.FLOAT64, rows));
            this.right = new RandomBundles(each, rows, rightFields, rightValues);
            this.reducer = new JoinReducer(
                    join,
                    left.schema(),
                    right.schema(),
                    JoinColumns.keyTypes(join, left.schema(), right.schema()),
                    null);
        }

        private boolean meet(int a, int b) {
            return IntStream.range(0, join.leftKeys().size()).allMatch(k -> {
                Object one = left.value(join.leftKeys().get(k), a);
                Object other = right.value(join.rightKeys().get(k), b);
                return one != null && other != null && OracleValues.normal(one).equals(OracleValues.normal(other));
            });
        }

        /// The rows that should come out, each as the numbers of a row of the left and of the right, -1 for none.
        List<List<Integer>> expected() {
            List<List<Integer>> pairs = new ArrayList<>();
            boolean[] leftMet = new boolean[left.rows()];
            boolean[] rightMet = new boolean[right.rows()];
            for (int a = 0; a < left.rows(); a++) {
                for (int b = 0; b < right.rows(); b++) {
                    if (meet(a, b)) {
                        leftMet[a] = true;
                        rightMet[b] = true;
                        if (!join.kind().isLeftOnly() && !join.kind().isRightOnly()) {
                            pairs.add(List.of(a, b));
                        }
                    }
                }
            }
            for (int a = 0; a < leftMet.length; a++) {
                boolean out = join.kind().keepsLeft() && !leftMet[a]
                        || join.kind().isLeftOnly() && leftMet[a] != join.kind().isAnti();
                if (out) {
                    pairs.add(List.of(a, -1));
                }
            }
            for (int b = 0; b < rightMet.length; b++) {
                boolean out = join.kind().keepsRight() && !rightMet[b]
                        || join.kind().isRightOnly()
                                && rightMet[b] != join.kind().isAnti();
                if (out) {
                    pairs.add(List.of(-1, b));
                }
            }
            return pairs;
        }

        /// The values of such a row of the output.
        List<Object> row(List<Integer> pair, JoinColumns columns) {
            List<Object> values = new ArrayList<>();
            for (JoinColumns.Source source : columns.sources()) {
                boolean fromLeft = source.left() >= 0 && (pair.get(0) >= 0 || source.right() < 0);
                int row = pair.get(fromLeft ? 0 : 1);
                RandomBundles side = fromLeft ? left : right;
                Object value = row < 0
                        ? null
                        : side.columns
                                .get(fromLeft ? source.left() : source.right())
                                .get(row);
                values.add(OracleValues.normal(value));
            }
            return values;
        }

        void same(List<Block> made) {
            JoinColumns columns = JoinColumns.of(join, left.schema(), right.schema());
            List<List<Object>> rows = new ArrayList<>();
            for (Block block : made) {
                assertThat(block.schema().names()).isEqualTo(columns.schema().names());
                rows.addAll(PlainValues.rows(block));
            }
            List<List<Object>> expected = new ArrayList<>();
            expected().forEach(pair -> expected.add(row(pair, columns)));
            assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
        }

        @Override
        public void close() {
            left.close();
            right.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Join.Kind.class)
    void joinsByShardsAreNestedLoops(Join.Kind kind) {
        RandomCase.check("JoinShards, JoinPartitions, JoinReducer of " + kind, CASES, MAX_ROWS, each -> {
            try (Sides sides = new Sides(each, kind);
                    PlainExchange exchange = PlainExchange.of(each)) {
                List<List<Block>> parts = exchange.run(
                        List.of(
                                new PlainExchange.Side(
                                        new JoinShards(sides.join.leftKeys(), sides.reducer.as(), PARTITIONS),
                                        sides.left.bundles),
                                new PlainExchange.Side(
                                        new JoinShards(sides.join.rightKeys(), sides.reducer.as(), PARTITIONS),
                                        sides.right.bundles)),
                        new JoinPartitions(sides.join, PARTITIONS),
                        sides.reducer);
                sides.same(parts.stream().flatMap(List::stream).toList());
            }
        });
    }

    @ParameterizedTest
    @EnumSource(value = Join.Kind.class, names = "FULL", mode = EnumSource.Mode.EXCLUDE)
    void joinsWithASharedTableAreNestedLoops(Join.Kind kind) {
        RandomCase.check("BuildTableMaker, ProbeReducer, UnmatchedReducer of " + kind, CASES, MAX_ROWS, each -> {
            try (Sides sides = new Sides(each, kind);
                    PlainExchange exchange = PlainExchange.of(each)) {
                boolean buildsLeft = each.random().nextBoolean();
                RandomBundles built = buildsLeft ? sides.left : sides.right;
                RandomBundles passing = buildsLeft ? sides.right : sides.left;
                List<List<Block>> parts = exchange.broadcast(
                        sides.reducer,
                        buildsLeft,
                        built.bundles.stream().flatMap(List::stream).toList(),
                        passing.bundles);
                sides.same(parts.stream().flatMap(List::stream).toList());
            }
        });
    }

    @Test
    void asOfJoinsTakeTheLastRowThatIsNotAfter() {
        RandomCase.check("as-of joins by shards and by a shared table", 40, MAX_ROWS, each -> {
            Join join = Join.left("k").asOf(AsOf.earlier("t")).rightSuffix("_right");
            List<Field> fields = List.of(new Field("k", DataType.INT8), new Field("t", DataType.INT32));
            try (RandomBundles left = new RandomBundles(each, each.rows(), fields);
                    RandomBundles right = new RandomBundles(each, each.rows(), fields);
                    PlainExchange exchange = PlainExchange.of(each)) {
                List<DataType> as = JoinColumns.keyTypes(join, left.schema(), right.schema());
                JoinReducer reducer = new JoinReducer(join, left.schema(), right.schema(), as, null);
                List<List<Block>> parts = each.random().nextBoolean()
                        ? exchange.broadcast(
                                reducer,
                                false,
                                right.bundles.stream().flatMap(List::stream).toList(),
                                left.bundles)
                        : exchange.run(
                                List.of(
                                        new PlainExchange.Side(
                                                new JoinShards(List.of("k"), as, PARTITIONS), left.bundles),
                                        new PlainExchange.Side(
                                                new JoinShards(List.of("k"), as, PARTITIONS), right.bundles)),
                                new JoinPartitions(join, PARTITIONS),
                                reducer);
                List<List<Object>> found = new ArrayList<>();
                for (Block block : parts.stream().flatMap(List::stream).toList()) {
                    for (long row = 0; row < block.rows(); row++) {
                        found.add(List.of(
                                OracleValues.normal(block.column("id").value(row)),
                                OracleValues.normal(block.column("id_right").value(row))));
                    }
                }
                List<List<Object>> expected = new ArrayList<>();
                for (int a = 0; a < left.rows(); a++) {
                    expected.add(List.of(OracleValues.normal((long) a), OracleValues.normal(before(left, right, a))));
                }
                assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
            }
        });
    }

    private static Long before(RandomBundles left, RandomBundles right, int row) {
        Object key = left.value("k", row);
        Object time = left.value("t", row);
        Long best = null;
        for (int other = 0; other < right.rows(); other++) {
            Object there = right.value("t", other);
            if (key != null
                    && time != null
                    && there != null
                    && key.equals(right.value("k", other))
                    && (long) there <= (long) time
                    && (best == null || (long) there >= (long) right.value("t", best.intValue()))) {
                best = (long) other;
            }
        }
        return best;
    }
}

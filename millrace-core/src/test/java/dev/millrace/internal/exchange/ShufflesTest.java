package dev.millrace.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.column.RandomValues;
import dev.millrace.internal.kernel.aggregate.GlobalAggregates;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.internal.kernel.aggregate.PivotedBlocks;
import dev.millrace.relation.SortKey;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.PlainAggregates;
import dev.millrace.testing.PlainValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Every shuffle of one input, from bundles to parts, against what it says it does to all rows at once.
class ShufflesTest {
    private static final int CASES = 40;
    private static final int MAX_ROWS = 120;
    private static final int PARTITIONS = 6;

    /// What a test does with an exchange over random rows.
    private interface Body {
        void run(RandomCase each, PlainExchange exchange, RandomBundles rows) throws Exception;
    }

    private static void check(String kernel, Body body) {
        RandomCase.check(kernel, CASES, MAX_ROWS, each -> {
            List<Field> fields = new ArrayList<>();
            List<DataType> ordered =
                    RandomValues.types().stream().filter(Types::hasOrder).toList();
            for (int i = 0; i < 2; i++) {
                fields.add(new Field("k" + i, each.oneOf(ordered)));
            }
            fields.add(new Field("v", each.oneOf(RandomValues.types())));
            fields.add(new Field("n", DataType.INT32));
            try (RandomBundles rows = new RandomBundles(each, each.rows(), fields);
                    PlainExchange exchange = PlainExchange.of(each)) {
                body.run(each, exchange, rows);
            }
        });
    }

    private static List<Integer> ids(List<Block> blocks) {
        List<Integer> ids = new ArrayList<>();
        for (Block block : blocks) {
            for (long row = 0; row < block.rows(); row++) {
                ids.add(((Number) block.column("id").value(row)).intValue());
            }
        }
        return ids;
    }

    /// Rows come out as they went in.
    private static void unchanged(List<Block> blocks, RandomBundles rows) {
        for (Block block : blocks) {
            assertThat(block.schema()).isEqualTo(rows.schema());
            List<List<Object>> made = PlainValues.rows(block);
            List<Integer> ids = ids(List.of(block));
            for (int i = 0; i < ids.size(); i++) {
                assertThat(made.get(i)).isEqualTo(rows.row(ids.get(i)));
            }
        }
    }

    private static List<Block> all(List<List<Block>> parts) {
        return parts.stream().flatMap(List::stream).toList();
    }

    private static List<Integer> everyRow(RandomBundles rows) {
        return IntStream.range(0, rows.rows()).boxed().toList();
    }

    @Test
    void rowsByHashMeetInOnePartAndKeepTheirOrder() {
        check("PartitionShards with HashPartitioner, CountedPartitions, ConcatenateReducer", (each, exchange, rows) -> {
            boolean together = each.random().nextBoolean();
            List<List<Block>> parts = exchange.run(
                    List.of(new PlainExchange.Side(
                            new PartitionShards(new HashPartitioner(List.of("k0"), PARTITIONS)), rows.bundles)),
                    new CountedPartitions(PARTITIONS, together),
                    new ConcatenateReducer());
            assertThat(ids(all(parts))).containsExactlyInAnyOrderElementsOf(everyRow(rows));
            unchanged(all(parts), rows);
            Map<Object, Integer> partOf = new HashMap<>();
            for (int part = 0; part < parts.size(); part++) {
                assertThat(parts.get(part)).as("one block for each part").hasSizeLessThanOrEqualTo(1);
                Map<Object, Integer> last = new HashMap<>();
                for (int id : ids(parts.get(part))) {
                    Object key = OracleValues.normal(rows.value("k0", id));
                    assertThat(partOf.computeIfAbsent(key, _ -> parts.size())).isNotNull();
                    Integer before = last.put(key, id);
                    assertThat(before == null || before < id)
                            .as("rows of %s keep their order", key)
                            .isTrue();
                }
                for (Object key : last.keySet()) {
                    Integer known = partOf.put(key, part);
                    assertThat(known == parts.size() || known == part)
                            .as("rows of %s meet", key)
                            .isTrue();
                }
            }
            assertThat(parts.size()).isEqualTo(together ? parts.size() : PARTITIONS);
        });
    }

    @Test
    void evenPartsKeepTheOrder() {
        check("EvenRows, ConcatenateReducer", (each, exchange, rows) -> {
            int count = 1 + each.random().nextInt(9);
            List<List<Block>> parts = exchange.run(
                    List.of(new PlainExchange.Side(null, rows.bundles)), new EvenRows(count), new ConcatenateReducer());
            assertThat(ids(all(parts))).isEqualTo(everyRow(rows));
            unchanged(all(parts), rows);
            assertThat(parts).hasSize(count);
            for (int part = 0; part < count; part++) {
                assertThat(ids(parts.get(part))).hasSize(rows.rows() / count + (part < rows.rows() % count ? 1 : 0));
            }
        });
    }

    @Test
    void sortedRowsComeInOrderAndEqualOnesAsTheyWere() {
        check("SortShards, SortedRanges, SortReducer", (each, exchange, rows) -> {
            List<SortKey> keys = order(each);
            each.about(keys.toString());
            List<List<Block>> parts = exchange.run(
                    List.of(new PlainExchange.Side(new SortShards(keys), rows.bundles)),
                    new SortedRanges(null),
                    new SortReducer(keys));
            assertThat(ids(all(parts))).isEqualTo(sorted(rows, keys));
            unchanged(all(parts), rows);
            Map<List<Object>, Integer> partOf = new HashMap<>();
            List<String> names = keys.stream().map(SortKey::column).toList();
            for (int part = 0; part < parts.size(); part++) {
                for (int id : ids(parts.get(part))) {
                    Integer known = partOf.putIfAbsent(rows.key(names, id), part);
                    assertThat(known == null || known == part)
                            .as("equal keys are in one part")
                            .isTrue();
                }
            }
        });
    }

    /// Keys of long runs are known at some of their rows alone.
    @Test
    void longRunsAreCutBetweenTheirSamples() {
        RandomCase.check("SortShards, SortedRanges, SortReducer of long runs", 4, 1, each -> {
            List<SortKey> keys = List.of(SortKey.ascending("k0"));
            List<Field> fields = List.of(new Field("k0", DataType.INT16));
            try (RandomBundles rows = new RandomBundles(each, 6000, fields);
                    PlainExchange exchange = PlainExchange.of(each, List.of(3_000L, 20_000L, 1L << 30))) {
                List<List<Block>> parts = exchange.run(
                        List.of(new PlainExchange.Side(new SortShards(keys), rows.bundles)),
                        new SortedRanges(null),
                        new SortReducer(keys));
                assertThat(ids(all(parts))).isEqualTo(sorted(rows, keys));
            }
        });
    }

    private static List<SortKey> order(RandomCase each) {
        List<SortKey> keys =
                new ArrayList<>(List.of(new SortKey("k0", each.random().nextBoolean())));
        if (each.random().nextBoolean()) {
            keys.add(new SortKey("k1", each.random().nextBoolean()));
        }
        return keys;
    }

    private static List<Integer> sorted(RandomBundles rows, List<SortKey> keys) {
        List<Integer> sorted = new ArrayList<>(everyRow(rows));
        sorted.sort((a, b) -> {
            for (SortKey key : keys) {
                int order = PlainValues.compare(
                        rows.value(key.column(), a), rows.value(key.column(), b), key.isDescending());
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        });
        return sorted;
    }

    @Test
    void theFirstRowsOfAnOrderAreThoseOfTheSort() {
        check("TopShards, TopReducer", (each, exchange, rows) -> {
            List<SortKey> keys = order(each);
            int wanted = each.random().nextInt(20);
            each.about("the first " + wanted + " by " + keys);
            List<List<Block>> parts = exchange.run(
                    List.of(new PlainExchange.Side(new TopShards(keys, wanted), rows.bundles)),
                    new CountedPartitions(1, true),
                    new TopReducer(keys, wanted));
            List<Integer> sorted = sorted(rows, keys);
            assertThat(ids(all(parts))).isEqualTo(sorted.subList(0, Math.min(wanted, sorted.size())));
            unchanged(all(parts), rows);
        });
    }

    @Test
    void theFirstRowOfEachKeyIsKept() {
        check("DistinctShards, DistinctReducer", (each, exchange, rows) -> {
            List<String> keys = each.oneOf(List.of(List.of("k0"), List.of("k1", "n"), List.of("v"), List.<String>of()));
            ShufflePartitioner partitioner =
                    keys.isEmpty() ? new RowPartitioner(PARTITIONS) : new HashPartitioner(keys, PARTITIONS);
            List<List<Block>> parts = exchange.run(
                    List.of(new PlainExchange.Side(new DistinctShards(keys, partitioner), rows.bundles)),
                    new CountedPartitions(PARTITIONS, true),
                    new DistinctReducer(keys));
            Map<List<Object>, Integer> first = new LinkedHashMap<>();
            everyRow(rows).forEach(id -> first.putIfAbsent(keys.isEmpty() ? rows.row(id) : rows.key(keys, id), id));
            assertThat(ids(all(parts))).containsExactlyInAnyOrderElementsOf(first.values());
            unchanged(all(parts), rows);
        });
    }

    @Test
    void chanceMovesRowsAndLosesNone() {
        check("RandomPartitioner, PermuteReducer", (each, exchange, rows) -> {
            List<PlainExchange.Side> sides = List.of(
                    new PlainExchange.Side(new PartitionShards(new RandomPartitioner(3, PARTITIONS)), rows.bundles));
            List<List<Block>> parts =
                    exchange.run(sides, new CountedPartitions(PARTITIONS, true), new PermuteReducer(3));
            assertThat(ids(all(parts))).containsExactlyInAnyOrderElementsOf(everyRow(rows));
            unchanged(all(parts), rows);
            List<List<Block>> again =
                    exchange.run(sides, new CountedPartitions(PARTITIONS, false), new PermuteReducer(3));
            assertThat(ids(all(again))).as("the parts do not matter").isEqualTo(ids(all(parts)));
        });
    }

    private static final List<Aggregate> AGGREGATES = List.of(
            Aggregates.count(),
            Aggregates.sum("n"),
            Aggregates.mean("n"),
            Aggregates.min("k1"),
            Aggregates.first("v"),
            Aggregates.last("v"),
            Aggregates.list("v"),
            Aggregates.set("v"),
            Aggregates.countDistinct("v"),
            Aggregates.valueCounts("v"),
            Aggregates.std("n"));

    @Test
    void groupsAreThoseOfAllRows() {
        check("AggregateShards, AggregateReducer", (each, exchange, rows) -> {
            List<String> keys = each.oneOf(List.of(List.of("k0"), List.of("k0", "v"), List.<String>of()));
            List<Aggregate> aggregates =
                    List.of(each.oneOf(AGGREGATES), each.oneOf(AGGREGATES).as("other"));
            each.about(aggregates + " by " + keys);
            GroupedBlocks grouping = new GroupedBlocks(keys, aggregates);
            int partitions = keys.isEmpty() ? 1 : PARTITIONS;
            List<List<Block>> parts = exchange.run(
                    List.of(new PlainExchange.Side(new AggregateShards(grouping, partitions, false), rows.bundles)),
                    new CountedPartitions(partitions, true),
                    new AggregateReducer(grouping, rows.schema()));
            same(grouping, rows, all(parts));
        });
    }

    private static void same(GroupedBlocks grouping, RandomBundles rows, List<Block> made) {
        Map<List<Object>, List<Integer>> groups = new LinkedHashMap<>();
        everyRow(rows)
                .forEach(id -> groups.computeIfAbsent(rows.key(grouping.keys(), id), _ -> new ArrayList<>())
                        .add(id));
        if (grouping.keys().isEmpty()) {
            groups.putIfAbsent(List.of(), List.of());
        }
        int seen = 0;
        for (Block block : made) {
            for (long row = 0; row < block.rows(); row++) {
                List<Object> key = new ArrayList<>();
                for (int k = 0; k < grouping.keys().size(); k++) {
                    key.add(OracleValues.normal(block.column(k).value(row)));
                }
                List<Integer> ids = groups.get(key);
                assertThat(ids).as("the group %s", key).isNotNull();
                seen++;
                for (int i = 0; i < grouping.aggregates().size(); i++) {
                    Aggregate aggregate = grouping.aggregates().get(i);
                    Object ours = block.column(grouping.keys().size() + i).value(row);
                    PlainAggregates.Result expected = of(aggregate, rows, ids);
                    assertThat(expected.isMet(ours) || ids.isEmpty() && (ours == null || ours.equals(0L)))
                            .as("%s of the group %s is %s and not %s", aggregate, key, ours, expected.value())
                            .isTrue();
                }
            }
        }
        assertThat(seen).as("groups").isEqualTo(groups.size());
    }

    private static PlainAggregates.Result of(Aggregate aggregate, RandomBundles rows, List<Integer> ids) {
        String column = aggregate.column() == null ? "id" : aggregate.column();
        List<Object> values = new ArrayList<>();
        ids.forEach(id -> values.add(rows.value(column, id)));
        return PlainAggregates.of(aggregate, rows.schema().type(column), values);
    }

    @Test
    void aggregatesOverAllRowsGoThroughLanes() {
        check("GlobalLanes, LaneShards, LaneAssignment, LaneReducer, GlobalReducer", (each, exchange, rows) -> {
            List<Aggregate> aggregates = new ArrayList<>();
            for (String column : List.of("v", "k0", "n")) {
                List<Aggregate> some = new ArrayList<>(List.of(
                        Aggregates.list(column),
                        Aggregates.set(column),
                        Aggregates.valueCounts(column),
                        Aggregates.countDistinct(column)));
                some.removeIf(_ -> each.random().nextBoolean());
                aggregates.addAll(some);
            }
            for (double quantile :
                    each.random().doubles(each.random().nextInt(3)).toArray()) {
                aggregates.add(Aggregates.quantile("n", quantile));
            }
            if (aggregates.isEmpty() || each.random().nextBoolean()) {
                aggregates.addAll(List.of(Aggregates.sum("n"), Aggregates.max("k1"), Aggregates.count()));
            }
            global(each, exchange, rows, rows.bundles, false, aggregates);
        });
    }

    @Test
    void statesOfAggregatesOverAllRowsGoThroughLanesToo() {
        check("GlobalLanes of states", (each, exchange, rows) -> {
            List<Aggregate> aggregates = List.of(
                    Aggregates.count(), Aggregates.valueCounts("k0"), Aggregates.sum("n"), Aggregates.valueCounts("n"));
            GroupedBlocks grouping = new GroupedBlocks(List.of(), aggregates);
            List<List<Block>> states = new ArrayList<>();
            try {
                for (List<Block> bundle : rows.bundles) {
                    states.add(new ArrayList<>());
                    for (Block block : bundle) {
                        states.getLast().add(grouping.accumulate(each.allocator(), block));
                    }
                }
                global(each, exchange, rows, states, true, aggregates);
            } finally {
                states.forEach(bundle -> bundle.forEach(Block::close));
            }
        });
    }

    private static void global(
            RandomCase each,
            PlainExchange exchange,
            RandomBundles rows,
            List<List<Block>> bundles,
            boolean grouped,
            List<Aggregate> all)
            throws Exception {
        GlobalAggregates aggregates = new GlobalAggregates(all);
        each.about(all + (grouped ? " of states" : ""));
        List<ExchangeLane> ofRows = GlobalLanes.ofRows(aggregates, PARTITIONS, grouped, rows.schema());
        List<List<Block>> made = lanes(exchange, bundles, ofRows);
        List<ExchangeLane> ofValues = GlobalLanes.ofValues(aggregates);
        List<List<Block>> parts = exchange.run(
                List.of(new PlainExchange.Side(null, ofValues.isEmpty() ? made : lanes(exchange, made, ofValues))),
                new EvenRows(1),
                new GlobalReducer(aggregates, rows.schema()));
        same(new GroupedBlocks(List.of(), all), rows, all(parts));
    }

    private static List<List<Block>> lanes(PlainExchange exchange, List<List<Block>> bundles, List<ExchangeLane> lanes)
            throws Exception {
        return exchange
                .run(
                        List.of(new PlainExchange.Side(LaneShards.of(lanes), bundles)),
                        LaneAssignment.of(lanes),
                        LaneReducer.of(lanes))
                .stream()
                .filter(part -> !part.isEmpty())
                .toList();
    }

    @Test
    void partitionsHaveAllRowsOfTheirKeysInOrder() {
        check("PartitionReducer", (each, exchange, rows) -> {
            List<List<Block>> parts = exchange.run(
                    List.of(new PlainExchange.Side(
                            new PartitionShards(new HashPartitioner(List.of("k0"), PARTITIONS)), rows.bundles)),
                    new CountedPartitions(PARTITIONS, true),
                    new PartitionReducer());
            assertThat(ids(all(parts))).containsExactlyInAnyOrderElementsOf(everyRow(rows));
            Map<Object, Block> blockOf = new LinkedHashMap<>();
            Map<Object, Integer> latest = new LinkedHashMap<>();
            for (Block block : all(parts)) {
                for (int id : ids(List.of(block))) {
                    Object key = OracleValues.normal(rows.value("k0", id));
                    assertThat(blockOf.computeIfAbsent(key, _ -> block)).isSameAs(block);
                    assertThat(latest.getOrDefault(key, -1)).isLessThan(id);
                    latest.put(key, id);
                }
            }
            unchanged(all(parts), rows);
        });
    }

    @Test
    void pivotedValuesStandBesideTheirKeys() {
        check("PivotShards, PivotReducer", (each, exchange, rows) -> {
            List<Integer> values = List.of(0, 1, -1);
            PivotedBlocks pivot =
                    new PivotedBlocks(List.of("k0"), "n", values, List.of(Aggregates.count()), rows.schema());
            List<List<Block>> parts = exchange.run(
                    List.of(new PlainExchange.Side(new PivotShards(pivot, PARTITIONS), rows.bundles)),
                    new CountedPartitions(PARTITIONS, true),
                    new PivotReducer(pivot));
            Map<Object, long[]> counts = new LinkedHashMap<>();
            for (int id : everyRow(rows)) {
                long[] ofKey = counts.computeIfAbsent(OracleValues.normal(rows.value("k0", id)), _ -> new long[3]);
                Object n = rows.value("n", id);
                int at = n == null ? -1 : values.indexOf(((Number) n).intValue());
                if (at >= 0) {
                    ofKey[at]++;
                }
            }
            Map<Object, List<Object>> made = new HashMap<>();
            for (Block block : all(parts)) {
                for (List<Object> row : PlainValues.rows(block)) {
                    assertThat(made.put(row.getFirst(), row.subList(1, 4))).isNull();
                }
            }
            assertThat(made.keySet()).isEqualTo(counts.keySet());
            counts.forEach((key, ofKey) -> {
                for (int i = 0; i < 3; i++) {
                    assertThat(made.get(key).get(i))
                            .as("%s rows of %s", values.get(i), key)
                            .isEqualTo(OracleValues.normal(ofKey[i]));
                }
            });
        });
    }
}

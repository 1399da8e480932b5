package dev.millrace.internal.plan.physical;

import dev.millrace.compute.Resources;
import dev.millrace.internal.exchange.AggregateReducer;
import dev.millrace.internal.exchange.AggregateShards;
import dev.millrace.internal.exchange.BuildTableMaker;
import dev.millrace.internal.exchange.ConcatenateReducer;
import dev.millrace.internal.exchange.CountedPartitions;
import dev.millrace.internal.exchange.DealtRows;
import dev.millrace.internal.exchange.DistinctReducer;
import dev.millrace.internal.exchange.DistinctShards;
import dev.millrace.internal.exchange.EvenRows;
import dev.millrace.internal.exchange.ExchangeLane;
import dev.millrace.internal.exchange.GlobalLanes;
import dev.millrace.internal.exchange.GlobalReducer;
import dev.millrace.internal.exchange.HashPartitioner;
import dev.millrace.internal.exchange.JoinPartitions;
import dev.millrace.internal.exchange.JoinReducer;
import dev.millrace.internal.exchange.JoinShards;
import dev.millrace.internal.exchange.LaneAssignment;
import dev.millrace.internal.exchange.LaneReducer;
import dev.millrace.internal.exchange.LaneShards;
import dev.millrace.internal.exchange.PartitionReducer;
import dev.millrace.internal.exchange.PartitionShards;
import dev.millrace.internal.exchange.PermuteReducer;
import dev.millrace.internal.exchange.PivotReducer;
import dev.millrace.internal.exchange.PivotShards;
import dev.millrace.internal.exchange.RandomPartitioner;
import dev.millrace.internal.exchange.ReduceAssignment;
import dev.millrace.internal.exchange.RowPartitioner;
import dev.millrace.internal.exchange.ShufflePartitioner;
import dev.millrace.internal.exchange.ShuffleReducer;
import dev.millrace.internal.exchange.SortReducer;
import dev.millrace.internal.exchange.SortShards;
import dev.millrace.internal.exchange.SortedRanges;
import dev.millrace.internal.exchange.TopReducer;
import dev.millrace.internal.exchange.TopShards;
import dev.millrace.internal.exchange.WindowReducer;
import dev.millrace.internal.exchange.WindowStreamReducer;
import dev.millrace.internal.kernel.aggregate.GlobalAggregates;
import dev.millrace.internal.kernel.aggregate.GroupRun;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.internal.kernel.aggregate.PivotedBlocks;
import dev.millrace.internal.kernel.join.JoinColumns;
import dev.millrace.internal.kernel.window.WindowBlocks;
import dev.millrace.internal.kernel.window.WindowStream;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.transform.BatchStep;
import dev.millrace.internal.transform.GroupStep;
import dev.millrace.internal.transform.TopStep;
import dev.millrace.relation.Join;
import dev.millrace.relation.SortKey;
import dev.millrace.settings.BlockSettings;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Plans the operators of shuffles.
final class ShufflePlanner {
    /// The number of partitions of shuffles that may choose it: enough for parts of acceptable size with little memory,
    /// few enough to be counted for each map task. They are combined into parts of the target size.
    static final int FINE_PARTITIONS = 256;

    private static final Resources ONE_CPU = Resources.cpus(1);
    /// Parts per CPU, so that all CPUs end at about the same time.
    private static final int PARTS_PER_CPU = 6;
    /// Tasks per CPU that group what they read, for the same reason.
    private static final int GROUPING_TASKS_PER_CPU = 8;

    private final OperatorFusion fusion;
    private final BlockSettings blocks;
    private final long mostBytes;
    private final int cpus;
    private final long tableBytes;

    /// @param mostBytes the maximum size of one block
    /// @param tableBytes the maximum size of a broadcast hash table of a join
    ShufflePlanner(OperatorFusion fusion, BlockSettings blocks, Resources capacity, long mostBytes, long tableBytes) {
        this.fusion = fusion;
        this.blocks = blocks;
        this.tableBytes = tableBytes;
        this.mostBytes = mostBytes;
        this.cpus = (int) Math.max(1, Math.ceil(capacity.cpus()));
    }

    PhysicalPlan plan(ShufflePlan shuffle, PhysicalPlan input) {
        return switch (shuffle) {
            case ShufflePlan.Repartition repartition
            when repartition.shuffled() ->
                exchange(
                        "repartition(" + repartition.blocks() + ").shuffled",
                        repartition.site(),
                        side(input, new DealtRows(repartition.blocks())),
                        new CountedPartitions(repartition.blocks(), false),
                        new ConcatenateReducer());
            case ShufflePlan.Repartition repartition
            when repartition.keys().isEmpty() ->
                exchange(
                        "repartition(" + repartition.blocks() + ")",
                        repartition.site(),
                        new PhysicalPlan.Side(input, null),
                        new EvenRows(repartition.blocks()),
                        new ConcatenateReducer());
            case ShufflePlan.Repartition repartition ->
                exchange(
                        "repartition(" + repartition.blocks() + ", " + String.join(", ", repartition.keys()) + ")",
                        repartition.site(),
                        side(input, new HashPartitioner(repartition.keys(), repartition.blocks())),
                        new CountedPartitions(repartition.blocks(), false),
                        new ConcatenateReducer());
            case ShufflePlan.RepartitionRows rows ->
                new PhysicalPlan.Rows(
                        "repartitionRows(" + rows.rows() + ")",
                        input,
                        rows.rows(),
                        rows.exact(),
                        ONE_CPU,
                        blocks.targetBytes(),
                        rows.site());
            case ShufflePlan.Sort sort ->
                exchange(
                        "sort(" + names(sort.by()) + ")",
                        sort.site(),
                        new PhysicalPlan.Side(input, new SortShards(sort.by())),
                        new SortedRanges(
                                sort.boundaries().isEmpty()
                                        ? null
                                        : sort.boundaries().toArray(byte[][]::new)),
                        new SortReducer(sort.by()));
            case ShufflePlan.RandomShuffle random ->
                exchange(
                        "randomShuffle",
                        random.site(),
                        side(input, new RandomPartitioner(random.seed(), FINE_PARTITIONS)),
                        new CountedPartitions(FINE_PARTITIONS, true),
                        new PermuteReducer(random.seed()));
            case ShufflePlan.RandomizeBlocks order ->
                new PhysicalPlan.BlockOrder("randomizeBlockOrder", input, order.seed());
        };
    }

    /// The exchange brings the rows of each group together; the function is a step behind it.
    PhysicalPlan plan(GroupPlan.MapGroups groups, PhysicalPlan input, OperatorFusion.Need need) {
        PhysicalPlan.Exchange together = exchange(
                "groupBy(" + String.join(", ", groups.keys()) + ")",
                groups.site(),
                side(input, new HashPartitioner(groups.keys(), FINE_PARTITIONS)),
                new CountedPartitions(FINE_PARTITIONS, true),
                new PartitionReducer());
        return fusion.appendGroups(
                together,
                BatchStep.ofGroups(groups.name(), groups.operation(), groups.keys(), groups.compute()),
                need,
                groups.site());
    }

    /// Partial aggregation is fused into the tasks that produce the rows, if possible: they emit states, and no block
    /// of rows is made.
    PhysicalPlan plan(GroupPlan.GroupBy groups, PhysicalPlan input) {
        GroupedBlocks grouping = new GroupedBlocks(groups.keys(), groups.aggregates());
        Schema schema = groups.input().schema().orElse(null);
        String name = groups.keys().isEmpty() ? "aggregate" : "groupBy(" + String.join(", ", groups.keys()) + ")";
        boolean joins = OperatorFusion.hasTasks(input) && schema != null && GroupRun.isFor(grouping, schema);
        PhysicalPlan made = joins
                ? fewer(fusion.append(
                        coded(input, grouping, Objects.requireNonNull(schema, "the rows' columns are known")),
                        new GroupStep(name, grouping, blocks.targetBytes() / 2, groups.site()),
                        OperatorFusion.Need.NOTHING,
                        groups.site()))
                : input;
        if (groups.keys().isEmpty() && GlobalAggregates.areAmong(groups.aggregates())) {
            return global(groups, joins, made);
        }
        int partitions = groups.keys().isEmpty() ? 1 : FINE_PARTITIONS;
        return exchange(
                name,
                groups.site(),
                new PhysicalPlan.Side(made, new AggregateShards(grouping, partitions, joins)),
                new CountedPartitions(partitions, true),
                new AggregateReducer(grouping, schema));
    }

    /// Aggregates whose state may be as large as the rows go through lanes of an exchange, distinct values through one
    /// more, and their outputs are combined into the one row.
    ///
    /// @param grouped whether the tasks of the input computed states of the rows
    private PhysicalPlan global(GroupPlan.GroupBy groups, boolean grouped, PhysicalPlan input) {
        GlobalAggregates aggregates = new GlobalAggregates(groups.aggregates());
        Schema schema = groups.input().schema().orElse(null);
        List<ExchangeLane> ofRows = GlobalLanes.ofRows(aggregates, FINE_PARTITIONS, grouped, schema);
        PhysicalPlan made = lanes("aggregate parts", groups, input, ofRows);
        List<ExchangeLane> ofValues = GlobalLanes.ofValues(aggregates);
        return exchange(
                "aggregate",
                groups.site(),
                new PhysicalPlan.Side(
                        ofValues.isEmpty() ? made : lanes("aggregate values", groups, made, ofValues), null),
                new EvenRows(1),
                new GlobalReducer(aggregates, schema));
    }

    private PhysicalPlan lanes(String name, GroupPlan.GroupBy groups, PhysicalPlan input, List<ExchangeLane> lanes) {
        return exchange(
                name,
                groups.site(),
                new PhysicalPlan.Side(input, LaneShards.of(lanes)),
                LaneAssignment.of(lanes),
                LaneReducer.of(lanes));
    }

    /// A join below returns text keys as dictionaries, those of a broadcast side or those that arrive as such; a read
    /// returns what it can.
    private static PhysicalPlan coded(PhysicalPlan input, GroupedBlocks grouping, Schema schema) {
        if (input instanceof PhysicalPlan.Read read && read.chain().steps().isEmpty()) {
            return read.source()
                    .encoded(GroupRun.encodable(grouping, schema))
                    .<PhysicalPlan>map(read::withSource)
                    .orElse(read);
        }
        if (!(input instanceof PhysicalPlan.Exchange exchange)
                || exchange.tail() != null
                || !(exchange.reducer() instanceof JoinReducer join)) {
            return input;
        }
        PhysicalPlan.Exchange coding = exchange.withReducer(join.coding(grouping.keys()));
        return exchange.broadcast() != null && exchange.broadcast().maker() instanceof BuildTableMaker maker
                ? coding.withBroadcast(exchange.broadcast().withMaker(maker.encoding(grouping.keys())))
                : coding;
    }

    /// The more rows a task has, the fewer states of one group there are.
    private PhysicalPlan fewer(PhysicalPlan plan) {
        if (!(plan instanceof PhysicalPlan.Read read) || read.request().exact()) {
            return plan;
        }
        SplitRequest request = read.request();
        return read.withRequest(
                request.withParallelism(Math.min(request.parallelism(), cpus * GROUPING_TASKS_PER_CPU)));
    }

    PhysicalPlan plan(GroupPlan.Pivot pivot, PhysicalPlan input) {
        PivotedBlocks blocks = new PivotedBlocks(
                pivot.keys(),
                pivot.column(),
                pivot.values(),
                pivot.aggregates(),
                pivot.input().schema().orElse(null));
        return exchange(
                "pivot(" + pivot.column() + " by " + String.join(", ", pivot.keys()) + ")",
                pivot.site(),
                new PhysicalPlan.Side(input, new PivotShards(blocks, FINE_PARTITIONS)),
                new CountedPartitions(FINE_PARTITIONS, true),
                new PivotReducer(blocks));
    }

    PhysicalPlan plan(GroupPlan.Distinct distinct, PhysicalPlan input) {
        List<String> keys = distinct.keys().isEmpty()
                ? distinct.input().schema().map(Schema::names).orElse(List.of())
                : distinct.keys();
        ShufflePartitioner partitioner =
                keys.isEmpty() ? new RowPartitioner(FINE_PARTITIONS) : new HashPartitioner(keys, FINE_PARTITIONS);
        return exchange(
                "distinct" + (distinct.keys().isEmpty() ? "" : "(" + String.join(", ", keys) + ")"),
                distinct.site(),
                new PhysicalPlan.Side(input, new DistinctShards(keys, partitioner)),
                new CountedPartitions(FINE_PARTITIONS, true),
                new DistinctReducer(keys));
    }

    /// The tasks that produce rows keep their first ones, if a step can be fused into them.
    PhysicalPlan plan(LogicalPlan.TopRows top, PhysicalPlan input) {
        String name = "top " + top.rows() + " of sort(" + names(top.by()) + ")";
        PhysicalPlan made = OperatorFusion.hasTasks(input)
                ? fewer(fusion.append(
                        input,
                        new TopStep(name, top.by(), top.rows(), top.site()),
                        OperatorFusion.Need.NOTHING,
                        top.site()))
                : input;
        return exchange(
                name,
                top.site(),
                new PhysicalPlan.Side(made, new TopShards(top.by(), top.rows())),
                new CountedPartitions(1, true),
                new TopReducer(top.by(), top.rows()));
    }

    PhysicalPlan plan(LogicalPlan.Windowed windowed, PhysicalPlan input) {
        if (WindowStream.canStream(windowed.window(), windowed.functions())) {
            return exchange(
                    "window(" + windowed.window() + ")",
                    windowed.site(),
                    new PhysicalPlan.Side(
                            input, new SortShards(windowed.window().order())),
                    new SortedRanges(new byte[0][]),
                    new WindowStreamReducer(windowed.window(), windowed.functions()));
        }
        List<String> keys = windowed.window().keys();
        int partitions = keys.isEmpty() ? 1 : FINE_PARTITIONS;
        return exchange(
                "window(" + windowed.window() + ")",
                windowed.site(),
                side(input, new HashPartitioner(keys, partitions)),
                new CountedPartitions(partitions, true),
                new WindowReducer(new WindowBlocks(windowed.window(), windowed.functions())));
    }

    private static String names(List<SortKey> keys) {
        return keys.stream().map(SortKey::toString).collect(Collectors.joining(", "));
    }

    PhysicalPlan join(LogicalPlan.Joined joined, PhysicalPlan left, PhysicalPlan right) {
        Join join = joined.join();
        Schema leftSchema = joined.left().schema().orElse(null);
        Schema rightSchema = joined.right().schema().orElse(null);
        List<@Nullable DataType> as = leftSchema == null || rightSchema == null
                ? Collections.nCopies(join.leftKeys().size(), null)
                : JoinColumns.keyTypes(join, leftSchema, rightSchema);
        JoinReducer reducer = new JoinReducer(join, leftSchema, rightSchema, as, joined.wanted());
        return exchange(
                        "join " + join,
                        joined.site(),
                        List.of(
                                new PhysicalPlan.Side(left, new JoinShards(join.leftKeys(), as, FINE_PARTITIONS)),
                                new PhysicalPlan.Side(right, new JoinShards(join.rightKeys(), as, FINE_PARTITIONS))),
                        new JoinPartitions(join, FINE_PARTITIONS),
                        reducer)
                .withBroadcast(JoinSides.broadcast(joined, reducer, tableBytes));
    }

    private static PhysicalPlan.Side side(PhysicalPlan input, ShufflePartitioner partitioner) {
        return new PhysicalPlan.Side(input, new PartitionShards(partitioner));
    }

    private PhysicalPlan.Exchange exchange(
            String name, String site, PhysicalPlan.Side side, ReduceAssignment assignment, ShuffleReducer reducer) {
        return exchange(name, site, List.of(side), assignment, reducer);
    }

    /// An exchange with the sizes that the session's memory allows.
    ///
    /// @param site the user's line
    PhysicalPlan.Exchange exchange(
            String name,
            String site,
            List<PhysicalPlan.Side> sides,
            ReduceAssignment assignment,
            ShuffleReducer reducer) {
        return new PhysicalPlan.Exchange(
                name,
                sides,
                assignment,
                reducer,
                ONE_CPU,
                blocks.targetBytes(),
                mostBytes,
                blocks.minBytes(),
                cpus * PARTS_PER_CPU,
                site);
    }
}

package dev.millrace.internal.exchange;

import dev.millrace.internal.kernel.aggregate.GlobalAggregates;
import dev.millrace.internal.kernel.aggregate.GlobalPart;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The lanes of the exchanges for aggregates over all rows.
public final class GlobalLanes {
    private static final List<SortKey> BY_PLACE = List.of(SortKey.ascending(GlobalAggregates.PLACE));
    private static final List<SortKey> BY_COUNT =
            List.of(SortKey.descending(GlobalAggregates.COUNT), SortKey.ascending(GlobalAggregates.PLACE));

    private GlobalLanes() {}

    /// Lanes over rows, or over the states of all aggregates.
    ///
    /// @param partitions for distinct values
    /// @param grouped whether the tasks that produced the rows computed states of them
    /// @param input the columns of the rows, null if they are not known
    public static List<ExchangeLane> ofRows(
            GlobalAggregates aggregates, int partitions, boolean grouped, @Nullable Schema input) {
        List<ExchangeLane> lanes = new ArrayList<>();
        List<GlobalPart> parts = aggregates.parts();
        for (int number = 0; number < parts.size(); number++) {
            GlobalPart part = parts.get(number);
            switch (part.kind()) {
                case STATES -> {
                    GroupedBlocks others = aggregates.others();
                    lanes.add(new ExchangeLane(
                            number,
                            grouped ? new LaneInput.OtherStates(aggregates) : new LaneInput.Rows(),
                            new AggregateShards(others, 1, grouped),
                            new CountedPartitions(1, true),
                            new AggregateReducer(others, input)));
                }
                case LIST -> {
                    String column = part.requireColumn();
                    String name = "list(" + column + ")";
                    lanes.add(new ExchangeLane(
                            number,
                            new LaneInput.Values(aggregates, column),
                            new ListShards(name, column),
                            new WholeRuns(),
                            new ListReducer(GlobalPart.Kind.LIST, name, column, List.of())));
                }
                case QUANTILES -> {
                    String column = part.requireColumn();
                    lanes.add(new ExchangeLane(
                            number,
                            new LaneInput.Values(aggregates, column),
                            new QuantileShards(),
                            new QuantileRanges(aggregates.quantiles(column)),
                            new QuantileReducer()));
                }
                case VALUES -> {
                    String column = part.requireColumn();
                    lanes.add(new ExchangeLane(
                            number,
                            grouped
                                    ? new LaneInput.CountedValues(aggregates, column)
                                    : new LaneInput.Values(aggregates, column),
                            new ValueShards(partitions, grouped),
                            new CountedPartitions(partitions, true),
                            new ValueReducer(aggregates.givesValues(column))));
                }
                case SET, VALUE_COUNTS -> {
                    // Computed from the values, by the next exchange.
                }
            }
        }
        return lanes;
    }

    /// Lanes over the output of [#ofRows]: values become lists of them, everything else passes. Empty if there are no
    /// values.
    public static List<ExchangeLane> ofValues(GlobalAggregates aggregates) {
        List<GlobalPart> parts = aggregates.parts();
        List<ExchangeLane> lanes = new ArrayList<>();
        Set<Integer> used = new HashSet<>();
        for (int number = 0; number < parts.size(); number++) {
            GlobalPart part = parts.get(number);
            boolean isSet = part.kind() == GlobalPart.Kind.SET;
            if (isSet || part.kind() == GlobalPart.Kind.VALUE_COUNTS) {
                String column = part.requireColumn();
                int from = parts.indexOf(new GlobalPart(GlobalPart.Kind.VALUES, column));
                String name = (isSet ? "set(" : "valueCounts(") + column + ")";
                List<SortKey> keys = isSet ? BY_PLACE : BY_COUNT;
                used.add(from);
                lanes.add(new ExchangeLane(
                        number,
                        new LaneInput.OfPart(from),
                        new SortShards(keys),
                        new WholeRuns(),
                        new ListReducer(part.kind(), name, column, keys)));
            }
        }
        if (!lanes.isEmpty()) {
            lanes.add(new ExchangeLane(
                    -1,
                    new LaneInput.OfOthers(used),
                    new PassShards(),
                    new CountedPartitions(1, true),
                    new PassReducer()));
        }
        return lanes;
    }
}

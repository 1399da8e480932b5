package dev.millrace;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Alias;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Expressions;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.relation.Join;
import dev.millrace.relation.MixStop;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Field;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// The verbs that see more than one block at a time: union, sort, group by, join and their like.
sealed interface DatasetShuffles permits Dataset {
    private Dataset self() {
        return (Dataset) this;
    }

    /// These rows, then those of the others. Columns get their common types; a missing column is null.
    default Dataset union(Dataset... others) {
        List<LogicalPlan> inputs = new ArrayList<>(List.of(self().plan()));
        for (Dataset other : others) {
            inputs.add(self().sameSession("union", other).plan());
        }
        return self().with(ShuffleVerbs.union(inputs));
    }

    /// Interleaves the rows of this and of the others, one of each in turn, until all are exhausted: the second
    /// dataset's first row follows this one's first, and so on.
    default Dataset mix(Dataset... others) {
        return mix(List.of(others), Collections.nCopies(others.length + 1, 1.0), MixStop.ALL_EXHAUSTED);
    }

    /// Interleaves the rows of this and of the others so that at every position each has had its share, as exactly as
    /// whole rows allow: `code.mix(List.of(web, books), List.of(0.2, 0.7, 0.1), MixStop.FIRST_EXHAUSTED)`. Rows of one
    /// dataset keep their order; the same rows and weights give the same mix, whatever the blocks. Streams: only what
    /// one dataset is ahead of the others is buffered.
    ///
    /// The columns are those of a [#union].
    ///
    /// @param weights of this, then of the others: the relative numbers of rows
    default Dataset mix(List<Dataset> others, List<Double> weights, MixStop stop) {
        List<LogicalPlan> inputs = new ArrayList<>(List.of(self().plan()));
        others.forEach(other -> inputs.add(self().sameSession("mix", other).plan()));
        return self().with(ShuffleVerbs.mix(inputs, weights, stop));
    }

    /// Row i of this beside row i of each of the others, which must have the same number of rows. A duplicate name gets
    /// `_1`, or `_2` if that is used too, and so on.
    default Dataset zip(Dataset... others) {
        if (others.length == 0) {
            throw MillraceException.user("zip: give at least one other dataset.");
        }
        LogicalPlan zipped = self().plan();
        for (Dataset other : others) {
            zipped = ShuffleVerbs.zip(zipped, self().sameSession("zip", other).plan());
        }
        return self().with(zipped);
    }

    /// `blocks` blocks of equal numbers of rows, in the same order; `repartition(8).shuffled()` spreads neighbours.
    default RepartitionedDataset repartition(int blocks) {
        return new RepartitionedDataset(self(), ShuffleVerbs.repartition(self().plan(), blocks));
    }

    /// `blocks` blocks; rows with equal keys are in one block. Null is equal to null, NaN to NaN, 0.0 to -0.0.
    default Dataset repartition(int blocks, String... keys) {
        return self().with(ShuffleVerbs.repartition(self().plan(), blocks, keys));
    }

    /// Blocks of at most `rows` rows: larger ones are cut, smaller ones stay.
    default Dataset repartitionRows(long rows) {
        return self().with(ShuffleVerbs.repartitionRows(self().plan(), rows, false));
    }

    /// Blocks of at most, or of exactly, this many rows.
    ///
    /// @param exact every block has exactly `rows` rows, only the last may have fewer
    default Dataset repartitionRows(long rows, boolean exact) {
        return self().with(ShuffleVerbs.repartitionRows(self().plan(), rows, exact));
    }

    /// Sorts all rows by these columns, the first one being most significant, ascending: NaN after the numbers, null
    /// last, text by its bytes. Rows with equal keys keep their order, and share a block.
    default Dataset sort(String... columns) {
        return sort(Arrays.stream(columns).map(SortKey::ascending).toArray(SortKey[]::new));
    }

    /// The same with a direction for each: `sort(SortKey.descending("price"), SortKey.ascending("name"))`. NaN and null
    /// come last in both.
    default Dataset sort(SortKey... keys) {
        return self().sorted(ShuffleVerbs.sort(self().plan(), keys));
    }

    /// The same with one block for each range of the first key: up to the first boundary, from there to the second, and
    /// so on. A row whose key is a boundary begins a block.
    default Dataset sort(List<SortKey> keys, List<?> boundaries) {
        return self().sorted(ShuffleVerbs.sort(self().plan(), keys, boundaries));
    }

    /// Groups the rows with equal values in these columns: `groupBy("zone").aggregate(count(), mean("fare"))`. Null is
    /// a group, NaN is another, 0.0 and -0.0 are one.
    default Groups groupBy(String... columns) {
        return new Groups(self(), self().plan(), ShuffleVerbs.keys(self().plan(), columns));
    }

    /// The same by values of expressions, each a column of the result under its name:
    /// `groupBy(col("time").year().as("year"))`.
    default Groups groupBy(Expression... keys) {
        Dataset computed = self().withColumns(keys);
        String[] names = Arrays.stream(keys).map(Expression::outputName).toArray(String[]::new);
        return new Groups(self(), computed.plan(), ShuffleVerbs.keys(computed.plan(), names));
    }

    /// Aggregates all rows into one row, also if there are none: `aggregate(count(), max("fare"))`.
    default Dataset aggregate(Aggregate... aggregates) {
        return self().aggregate(self().plan(), List.of(), aggregates);
    }

    /// The distinct values of a column, including null, and how often each occurs, as columns under its name and
    /// `count`; the most frequent first.
    default Dataset valueCounts(String column) {
        Dataset counts = groupBy(column).aggregate(Aggregates.count().as("count"));
        return counts.sort(SortKey.descending(counts.columns().getLast()));
    }

    /// A row of statistics for each of these columns, of all if none are named: see [ColumnSummary]. They are computed
    /// immediately, in one run; `summary().show()` prints them.
    default Dataset summary(String... columns) {
        List<Field> fields = Summaries.fields(self().schema(), List.of(columns));
        return self().session().records(ColumnSummary.class, Summaries.of(self(), fields));
    }

    /// Joins rows of this, the left, with rows of the other, the right, whose keys are equal:
    /// `orders.join(items, Join.inner("id"))`; see [Join] for the kinds, several keys and names that both have. A key
    /// of one name is output once.
    ///
    /// The order is the same in every run over the same blocks, but unspecified. Keys that cannot be equal, and names
    /// that clash without a suffix, are errors at the call.
    default Dataset join(Dataset right, Join join) {
        return self().with(ShuffleVerbs.join(
                self().plan(), self().sameSession("join", right).plan(), join));
    }

    /// Adds columns computed by window functions: `window(Window.partitionBy("zone").orderBy("time"),
    /// rowNumber().as("n"), running(sum("fare")).as("so far"))`; see [dev.millrace.window.WindowFunctions]. Names must
    /// be new.
    ///
    /// Rows are output partition by partition, each in the window's order; the order of partitions is unspecified. A
    /// partition must fit into memory only if a function depends on rows far from its own: row numbers, ranks, `lag`,
    /// `lead`, running aggregates, totals and frames of few rows do not need that.
    default Dataset window(Window window, WindowFunction... functions) {
        return self().with(ShuffleVerbs.window(self().plan(), window, functions));
    }

    /// Removes duplicates: rows that are equal in all columns are kept once, in unspecified order. Null is equal to
    /// null, NaN to NaN, 0.0 to -0.0.
    default Dataset distinct() {
        return self().with(ShuffleVerbs.distinct(self().plan()));
    }

    /// Keeps the first of the rows that are equal in these columns, with all its columns.
    default Dataset distinct(String... columns) {
        return self().with(ShuffleVerbs.distinct(self().plan(), columns));
    }

    /// Keeps one of the rows whose texts in a column are almost equal, the first or another: of two texts whose sets of
    /// words have this Jaccard similarity one is removed with a probability of about two thirds, of more similar ones
    /// almost certainly, of clearly less similar ones rarely ([dev.millrace.expression.Expression#minHash], in 8
    /// bands). No two rows of the result agree in a band, and equal texts always do; null is equal to null. Eight
    /// shuffles, in each of which fewer rows are left.
    ///
    /// @param similarity above 0 and below 1; 0.8 removes copies with some words changed
    default Dataset dropNearDuplicates(String column, double similarity) {
        return NearDuplicates.drop(self(), column, similarity);
    }

    /// The `count` rows with the least distance, the nearest first, with it in the column `distance`, or under its
    /// alias: `nearest(10, col("embedding").cosineDistance(query))`, where the query is a list of numbers. Rows whose
    /// distance is null are left out.
    default Dataset nearest(int count, Expression distance) {
        if (count < 1) {
            throw MillraceException.user("nearest: ask for 1 row or more, not for " + count + ".");
        }
        String name = distance instanceof Alias alias ? alias.name() : "distance";
        return self().withColumn(name, distance.withoutAlias())
                .filter(Expressions.col(name).isNotNull())
                .sort(name)
                .limit(count);
    }

    /// The distinct values of a column, including null, in unspecified order. They must fit into memory.
    default List<Object> unique(String column) {
        List<Object> values = new ArrayList<>();
        self().select(column).distinct().iterRows().forEachRemaining(row -> values.add(row.get(column)));
        return values;
    }

    /// All rows in random order.
    default Dataset randomShuffle() {
        return randomShuffle(ThreadLocalRandom.current().nextLong());
    }

    /// The same seed gives the same order for the same rows.
    default Dataset randomShuffle(long seed) {
        return self().with(new ShufflePlan.RandomShuffle(self().plan(), seed, CallSite.here()));
    }

    /// All blocks in random order, with their rows unchanged: cheap, if that is random enough.
    default Dataset randomizeBlockOrder() {
        return randomizeBlockOrder(ThreadLocalRandom.current().nextLong());
    }

    /// The same in the order determined by the seed.
    default Dataset randomizeBlockOrder(long seed) {
        return self().with(new ShufflePlan.RandomizeBlocks(self().plan(), seed));
    }
}

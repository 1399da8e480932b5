package dev.millrace;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.aggregate.Aggregates;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ColumnCall;
import dev.millrace.expression.Expression;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.transform.KeyShare;
import dev.millrace.type.DataType;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunctions;
import java.util.List;

/// The parts of a dataset for training and testing.
final class TrainTestSplits {
    private static final String STREAMING = "streamingTrainTestSplit";
    /// Columns of the time in between, with names that no data has.
    private static final String PLACE = "__millrace_place";

    private static final String ROWS = "__millrace_rows";
    /// Keeps 10 x (0.1 + 0.2) at 3 in spite of binary fractions.
    private static final double ROUNDING = 1e-9;

    private TrainTestSplits() {}

    static void requireFraction(String verb, double testFraction) {
        if (!(testFraction > 0 && testFraction < 1)) {
            throw MillraceException.user(
                    verb + ": the test fraction must be between 0 and 1, not " + testFraction + ".");
        }
    }

    static TrainTestSplit stratified(Dataset dataset, double testFraction, String column) {
        requireFraction("trainTestSplit", testFraction);
        requireColumn("trainTestSplit", dataset, column);
        Dataset placed = dataset.window(
                Window.partitionBy(column),
                WindowFunctions.rowNumber().as(PLACE),
                WindowFunctions.total(Aggregates.count()).as(ROWS));
        Expression tested = col(ROWS).times(testFraction).plus(ROUNDING).floor().cast(DataType.INT64);
        Expression isTest = col(PLACE).gt(col(ROWS).minus(tested));
        try (MaterializedDataset whole = placed.materialize();
                ResourceScope scope = new ResourceScope()) {
            MaterializedDataset train = scope.add(part(whole, isTest.not()));
            return scope.keep(new TrainTestSplit(train, part(whole, isTest)));
        }
    }

    private static MaterializedDataset part(Dataset whole, Expression condition) {
        return whole.filter(condition).drop(PLACE, ROWS).materialize();
    }

    static StreamingTrainTestSplit byHash(Dataset dataset, double testFraction, String column, long seed) {
        requireFraction(STREAMING, testFraction);
        requireColumn(STREAMING, dataset, column);
        Expression isTest = new ColumnCall(new KeyShare(seed), List.of(col(column))).lt(testFraction);
        return new StreamingTrainTestSplit(dataset.filter(isTest.not()), dataset.filter(isTest));
    }

    static StreamingTrainTestSplit byPlace(Dataset dataset, double testFraction, long seed) {
        requireFraction(STREAMING, testFraction);
        LogicalPlan input = dataset.plan();
        return new StreamingTrainTestSplit(
                dataset.with(new LogicalPlan.Sample(input, testFraction, seed, true)),
                dataset.with(new LogicalPlan.Sample(input, testFraction, seed, false)));
    }

    private static void requireColumn(String verb, Dataset dataset, String column) {
        dataset.plan().schema().ifPresent(schema -> schema.require(column, verb));
    }
}

package dev.millrace.preprocess;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.struct;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Replaces categories by the mean of a target column among the rows of the category, as float64, drawn towards the
/// mean of all rows by a number of rows that count as if they had it: `(sum + smoothing * mean) / (count + smoothing)`.
/// Values that were not learnt, and missing ones, get the mean of all rows. Rows whose target is missing are not learnt
/// from.
///
/// Fit it to the rows that a model is trained with and no others: what it learns is the target.
public record TargetEncoder(List<String> columns, List<String> outputs, String target, double smoothing)
        implements ColumnPreprocessor {
    private static final String NAME = "TargetEncoder";

    public TargetEncoder {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
        if (!(smoothing >= 0) || Double.isInfinite(smoothing)) {
            throw MillraceException.user(NAME + ": the smoothing must be 0 or more, not " + smoothing + ".");
        }
    }

    /// Replaces the values of columns by means of the target, without smoothing.
    public static TargetEncoder of(String target, String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new TargetEncoder(all, all, target, 0);
    }

    /// How many rows with the mean of all rows are added to each category.
    public TargetEncoder smoothing(double rows) {
        return new TargetEncoder(columns, outputs, target, rows);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public TargetEncoder into(String... names) {
        return new TargetEncoder(columns, PreprocessorChecks.outputs(NAME, columns, names), target, smoothing);
    }

    @Override
    public List<Expression> derived(Schema schema) {
        PreprocessorChecks.requireCategories(NAME, schema, columns);
        PreprocessorChecks.requireNumbers(NAME, schema, List.of(target));
        return columns.stream()
                .<Expression>map(column -> struct(
                                col(column).as("value"),
                                col(target).cast(DataType.FLOAT64).as("target"))
                        .as(pair(column)))
                .toList();
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        return columns.stream()
                .map(column -> Aggregates.define(
                        "means", pair(column), new TargetMeans(PreprocessorChecks.typeOf(NAME, schema, column))))
                .toList();
    }

    private String pair(String column) {
        return target + " by " + column;
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String column = columns.get(i);
            List<?> learnt = (List<?>) statistics.get("means(" + pair(column) + ")");
            double sum = 0;
            double count = 0;
            for (Object each : learnt == null ? List.of() : learnt) {
                sum += number(each, "sum");
                count += number(each, "count");
            }
            if (learnt == null || count == 0) {
                throw MillraceException.data(
                        NAME + ": there is no row with a value of the target '" + target + "' to learn from.");
            }
            double mean = sum / count;
            List<Object> values = new ArrayList<>();
            List<Double> means = new ArrayList<>();
            for (Object each : learnt) {
                Object value = ((Map<?, ?>) each).get("value");
                if (value != null) {
                    values.add(value);
                    means.add((number(each, "sum") + smoothing * mean) / (number(each, "count") + smoothing));
                }
            }
            DataType type = PreprocessorChecks.typeOf(NAME, schema, column);
            steps.add(
                    new Step.Replace(column, outputs.get(i), new Categories(type, values, false, false), means, mean));
        }
        return steps;
    }

    private static double number(Object entry, String field) {
        Number number = (Number) ((Map<?, ?>) entry).get(field);
        return Objects.requireNonNull(number, field).doubleValue();
    }
}

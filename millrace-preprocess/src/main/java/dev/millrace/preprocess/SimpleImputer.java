package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.column.JavaTypes;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Replaces missing values, which are null and, in floats, NaN: by the mean of the column (which makes integers
/// float64), its most frequent value, or a constant. A column without any value has nothing to learn and is unchanged.
public record SimpleImputer(
        List<String> columns,
        List<String> outputs,
        Strategy strategy,
        @Nullable Serializable constant) implements ColumnPreprocessor {
    private static final String NAME = "SimpleImputer";

    /// The replacement of a missing value.
    public enum Strategy {
        MEAN,
        MOST_FREQUENT,
        CONSTANT
    }

    public SimpleImputer {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
        Objects.requireNonNull(strategy);
        if ((strategy == Strategy.CONSTANT) == (constant == null)) {
            throw MillraceException.user(
                    NAME + ": a constant is given where the strategy is CONSTANT, and only there.");
        }
    }

    /// Replaces null and NaN by the mean of the column.
    public static SimpleImputer mean(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new SimpleImputer(all, all, Strategy.MEAN, null);
    }

    /// Replaces missing values by the most frequent value; on a tie, by the one that comes first.
    public static SimpleImputer mostFrequent(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new SimpleImputer(all, all, Strategy.MOST_FREQUENT, null);
    }

    /// Replaces missing values by a constant.
    ///
    /// @param constant a boolean, number, text or date that the columns can hold
    public static SimpleImputer constant(Serializable constant, String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new SimpleImputer(all, all, Strategy.CONSTANT, constant);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public SimpleImputer into(String... names) {
        return new SimpleImputer(columns, PreprocessorChecks.outputs(NAME, columns, names), strategy, constant);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        switch (strategy) {
            case MEAN -> PreprocessorChecks.requireNumbers(NAME, schema, columns);
            case MOST_FREQUENT, CONSTANT -> PreprocessorChecks.requireCategories(NAME, schema, columns);
        }
        return switch (strategy) {
            case MEAN -> columns.stream().map(Aggregates::mean).toList();
            case MOST_FREQUENT -> columns.stream().map(Aggregates::valueCounts).toList();
            case CONSTANT -> List.of();
        };
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ColumnSteps.each(columns, outputs, (column, output) -> {
            DataType type = PreprocessorChecks.typeOf(NAME, schema, column);
            Object value = switch (strategy) {
                case MEAN -> statistics.get("mean(" + column + ")");
                case MOST_FREQUENT -> CategoryLearning.mostFrequent(statistics.get("valueCounts(" + column + ")"));
                case CONSTANT -> constant == null ? null : PreprocessorChecks.constant(NAME, column, type, constant);
            };
            DataType filled = strategy == Strategy.MEAN
                    ? DataType.FLOAT64
                    : type instanceof DataType.Null && value != null ? JavaTypes.infer(value) : type;
            return new Step.Fill(column, output, filled, (Serializable) value, type instanceof DataType.Float);
        });
    }
}

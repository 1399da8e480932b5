package dev.millrace.preprocess;

import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;

import dev.millrace.expression.ColumnCall;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One column computed from others with what was learnt.
public sealed interface Step extends Serializable {
    /// The columns that it reads.
    List<String> inputs();

    /// The column that it adds or replaces.
    String output();

    /// Computes the output from the inputs.
    Expression expression();

    /// Columns that are dropped once the output is computed.
    default List<String> dropped() {
        return List.of();
    }

    /// The step that computes the input from the output; empty if there is no inverse.
    default Optional<Step> inverse() {
        return Optional.empty();
    }

    /// `(value - center) / scale` as float64; null without a scale, 0 if the scale is zero.
    record Scale(
            String column,
            String output,
            double center,
            @Nullable Double scale) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            if (scale == null) {
                return lit(null).cast(DataType.FLOAT64);
            }
            if (scale == 0) {
                return when(col(column).isNotNull()).then(0.0).otherwise(lit(null));
            }
            return col(column).cast(DataType.FLOAT64).minus(center).dividedBy(scale);
        }

        @Override
        public Optional<Step> inverse() {
            return scale == null || scale == 0
                    ? Optional.empty()
                    : Optional.of(new Scale(output, column, -center / scale, 1 / scale));
        }
    }

    /// The number of a category as int64; null for other values.
    record Encode(String column, String output, Categories categories) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            return new ColumnCall(new EncodeFunction(categories), List.of(col(column)));
        }

        @Override
        public Optional<Step> inverse() {
            return Optional.of(new Decode(output, column, categories));
        }
    }

    /// The category of a number.
    record Decode(String column, String output, Categories categories) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            return new ColumnCall(new DecodeFunction(categories), List.of(col(column)));
        }

        @Override
        public Optional<Step> inverse() {
            return Optional.of(new Encode(output, column, categories));
        }
    }

    /// One-hot encoding: a list with one number for each category, 1 for the value's own and 0 for the others.
    record OneHot(String column, String output, Categories categories) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            return new ColumnCall(new OneHotFunction(categories), List.of(col(column)));
        }
    }

    /// Replaces missing values by a value of that type; null leaves the column unchanged.
    ///
    /// @param mayBeNaN whether the column is of floats, where NaN is missing too
    record Fill(
            String column,
            String output,
            DataType type,
            @Nullable Serializable value,
            boolean mayBeNaN) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            if (value == null) {
                return col(column);
            }
            Expression there =
                    mayBeNaN ? when(col(column).isNaN()).then(lit(null)).otherwise(col(column)) : col(column);
            return coalesce(there.cast(type), new Literal(value, type));
        }
    }

    /// Combines numbers into one vector, a tensor of floats.
    ///
    /// @param places the index in the vector to which each column is added; empty to concatenate the columns
    /// @param width of the vector; 0 if it follows from the columns
    record Combine(
            List<String> columns, String output, DataType element, List<Integer> places, int width, boolean drops)
            implements Step {
        public Combine {
            columns = List.copyOf(columns);
            places = List.copyOf(places);
        }

        @Override
        public List<String> inputs() {
            return columns;
        }

        @Override
        public Expression expression() {
            return new ColumnCall(
                    new CombineFunction(element, places, width),
                    columns.stream().<Expression>map(column -> col(column)).toList());
        }

        @Override
        public List<String> dropped() {
            return drops
                    ? columns.stream().filter(column -> !column.equals(output)).toList()
                    : List.of();
        }
    }
}

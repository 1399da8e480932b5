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

/// One column made of others by what was learnt.
public sealed interface Step extends Serializable {
    /// The columns that it reads.
    List<String> inputs();

    /// The column that it makes, or makes anew.
    String output();

    /// How the output is made of the inputs.
    Expression expression();

    /// Columns that go when the output is there.
    default List<String> dropped() {
        return List.of();
    }

    /// The step that undoes this, from its output to its input; nothing where it cannot be undone.
    default Optional<Step> inverse() {
        return Optional.empty();
    }

    /// `(value - center) / scale` as float64; without a scale null, with a scale of zero 0.
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

    /// A list of one number for each category, 1 for the value's own and 0 for the others.
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

    /// A value in the place of missing ones, in that type; null to leave the column as it is.
    ///
    /// @param mayBeNaN whether the column is of floats, whose NaN is missing too
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

    /// Numbers as one vector, a tensor of floats.
    ///
    /// @param places where in the vector each column is added; empty to put them one after the other
    /// @param width of the vector; 0 where it follows from the columns
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

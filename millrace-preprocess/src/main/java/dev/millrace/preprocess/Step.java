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

    /// How often each category is among the elements of a list, or among the parts of a text.
    ///
    /// @param separator between the parts of texts; empty for lists
    record Count(String column, String output, String separator, Categories categories) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            return new ColumnCall(
                    new CountFunction(categories),
                    List.of(separator.isEmpty() ? col(column) : col(column).split(separator)));
        }
    }

    /// How often each hash is among the parts of a text.
    ///
    /// @param features how many hashes there are
    record HashCount(String column, String output, String separator, int features) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            return new ColumnCall(
                    new HashCountFunction(features), List.of(col(column).split(separator)));
        }
    }

    /// The value in a dictionary of the categories; null for other values.
    record Categorize(String column, String output, Categories categories) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            return new ColumnCall(new CategorizeFunction(categories), List.of(col(column)));
        }
    }

    /// A number for each category, and one for all other values.
    record Replace(String column, String output, Categories categories, List<Double> numbers, double otherwise)
            implements Step {
        public Replace {
            numbers = List.copyOf(numbers);
        }

        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            return new ColumnCall(new ReplaceFunction(categories, numbers, otherwise), List.of(col(column)));
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

    /// The number of the bin between two edges, as int64; null for other values.
    ///
    /// @param right whether a bin contains its upper edge
    record Bin(String column, String output, List<Double> edges, boolean right) implements Step {
        public Bin {
            edges = List.copyOf(edges);
        }

        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            return new ColumnCall(new BinFunction(edges, right), List.of(col(column)));
        }
    }

    /// A number transformed by a power, as float64.
    record Power(String column, String output, PowerTransformer.Method method, double power) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(column);
        }

        @Override
        public Expression expression() {
            Expression x = col(column).cast(DataType.FLOAT64);
            return switch (method) {
                case BOX_COX -> raised(x, power);
                case YEO_JOHNSON ->
                    when(x.lt(0.0))
                            .then(raised(lit(1.0).minus(x), 2 - power).negate())
                            .otherwise(raised(x.plus(1.0), power));
            };
        }

        /// `(base ^ exponent - 1) / exponent`, whose limit for 0 is the logarithm.
        private static Expression raised(Expression base, double exponent) {
            return exponent == 0 ? base.log() : base.pow(exponent).minus(1.0).dividedBy(exponent);
        }
    }

    /// The norm of the numbers of a row, as float64.
    record Length(List<String> columns, String output, Normalizer.Norm norm) implements Step {
        public Length {
            columns = List.copyOf(columns);
        }

        @Override
        public List<String> inputs() {
            return columns;
        }

        @Override
        public Expression expression() {
            List<Expression> sizes = columns.stream()
                    .<Expression>map(
                            column -> col(column).cast(DataType.FLOAT64).abs())
                    .toList();
            Expression result = sizes.getFirst();
            return switch (norm) {
                case L1 -> sizes.stream().reduce(Expression::plus).orElse(result);
                case L2 ->
                    sizes.stream()
                            .map(size -> size.times(size))
                            .reduce(Expression::plus)
                            .orElse(result)
                            .sqrt();
                case MAX -> sizes.stream().reduce(Length::greater).orElse(result);
            };
        }

        /// Missing if one of them is.
        private static Expression greater(Expression a, Expression b) {
            return when(a.isNull().or(b.isNull()))
                    .then(lit(null))
                    .when(a.ge(b).or(a.isNaN()))
                    .then(a)
                    .otherwise(b);
        }
    }

    /// A number divided by another of its row, as float64; 0 if that is zero.
    ///
    /// @param drops whether the divisor is dropped then
    record Divide(String column, String output, String divisor, boolean drops) implements Step {
        @Override
        public List<String> inputs() {
            return List.of(column, divisor);
        }

        @Override
        public Expression expression() {
            Expression by = col(divisor);
            return when(by.eq(0.0))
                    .then(0.0)
                    .otherwise(col(column).cast(DataType.FLOAT64).dividedBy(by));
        }

        @Override
        public List<String> dropped() {
            return drops ? List.of(divisor) : List.of();
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

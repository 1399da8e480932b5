package dev.millrace.expression;

import dev.millrace.internal.thread.DeepStack;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Factory methods of expressions, meant for `import static`.
public final class Expressions {
    private Expressions() {}

    /// A column of the input.
    public static Expression col(String name) {
        return new ColumnReference(name);
    }

    /// A constant: a number, string, boolean, date, time, byte[], list, map, or null.
    public static Expression lit(@Nullable Object value) {
        return Literal.of(value);
    }

    /// An expression in SQL syntax: `sql("fare / distance > 2 AND zone LIKE 'A%'")`, with the same meaning as in a
    /// query. Supports comparisons, `AND`, `OR`, `NOT`, `IN`, `BETWEEN`, `LIKE` and `ILIKE` with `ESCAPE`, `IS [NOT]
    /// NULL`, `TRUE`, `FALSE`, `DISTINCT FROM`, arithmetic, `||`, `CASE`, `CAST`, `TRY_CAST` and `::`, intervals added
    /// to times, the functions of [#call], and constants: `1`, `1.5` (a decimal), `1e3`, `'text'`, `DATE '2024-02-29'`,
    /// `TIMESTAMP '2024-02-29 13:45:30'`, `[1, 2]`.
    ///
    /// A name is a case-sensitive column name; in double quotes it may contain any characters: `"a b"`. `place.city` is
    /// a field of a struct, `list[1]` the first element, `map['key']` a value of a map.
    ///
    /// `/` divides as float64; division by zero is infinite. A cast is [Expression#cast]: a value that does not fit is
    /// an error (a query rounds), and a time is converted to text in ISO 8601. `||` and `concat` accept texts; a date
    /// minus a date is a duration: `date_diff('day', a, b)` returns days.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, for a syntax error: its position, and what was
    ///     expected there
    public static Expression sql(String text) {
        return DeepStack.call(() -> ExpressionParser.parse(text, null));
    }

    /// The same over known columns: an unknown name is an error here, with its position.
    public static Expression sql(String text, Schema schema) {
        return DeepStack.call(() -> ExpressionParser.parse(text, schema));
    }

    /// An SQL function by its name, which is not case-sensitive: `call("regexp_extract", col("path"), "[a-z]+", 0)`. If
    /// a function differs from the method of a similar name, it behaves as in a query: positions count from 1.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, for an unknown name or a wrong number of arguments
    public static Expression call(String name, Object... arguments) {
        return NamedFunctions.call(name, expressions(arguments));
    }

    /// `when(a).then(x).when(b).then(y).otherwise(z)`.
    public static Conditional.Builder when(Expression condition) {
        return new Conditional.Builder(List.of(), condition);
    }

    /// The first value that is not null.
    public static Expression coalesce(@Nullable Object... values) {
        return new Coalesce(expressions(values));
    }

    /// The least of the values that are not null; NaN counts as the greatest number.
    public static Expression least(@Nullable Object... values) {
        return new Call(MathFunction.LEAST, expressions(values));
    }

    /// The greatest of the values that are not null; NaN counts as the greatest number.
    public static Expression greatest(@Nullable Object... values) {
        return new Call(MathFunction.GREATEST, expressions(values));
    }

    /// Concatenates texts; null if one of them is null.
    public static Expression concat(@Nullable Object... texts) {
        return new Call(TextFunction.CONCAT, expressions(texts));
    }

    /// A 64-bit hash of the values, as int64, the same in every run; never null, since null has a hash too. Equal
    /// numbers have equal hashes in all types of numbers.
    public static Expression hash(@Nullable Object... values) {
        return new Call(HashFunction.HASH, expressions(values));
    }

    /// A struct whose fields have the expressions' output names.
    public static Expression struct(Expression... fields) {
        return new MakeStruct(List.of(fields));
    }

    /// A list of values of one type per row; nulls are elements.
    public static Expression list(@Nullable Object... elements) {
        return new MakeList(expressions(elements));
    }

    /// The conjunction of the conditions; true if there are none.
    public static Expression allOf(List<Expression> conditions) {
        return conditions.stream().reduce(Expression::and).orElse(lit(true));
    }

    /// A user function of one value, called per row; see [UserFunction].
    public static <A extends @Nullable Object, R extends @Nullable Object> UserCall udf(
            String name, DataType result, UserFunction.Of1<A, R> function, @Nullable Object argument) {
        return new UserCall(name, result, function, expressions(argument), true);
    }

    /// A user function of two values, called per row.
    public static <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object> UserCall udf(
            String name,
            DataType result,
            UserFunction.Of2<A, B, R> function,
            @Nullable Object first,
            @Nullable Object second) {
        return new UserCall(name, result, function, expressions(first, second), true);
    }

    /// A user function of three values, called per row.
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            UserCall udf(
                    String name,
                    DataType result,
                    UserFunction.Of3<A, B, C, R> function,
                    @Nullable Object first,
                    @Nullable Object second,
                    @Nullable Object third) {
        return new UserCall(name, result, function, expressions(first, second, third), true);
    }

    /// A user function of whole columns, called per block; see [UserFunction.OfColumns].
    public static UserCall columnUdf(
            String name, DataType result, UserFunction.OfColumns function, @Nullable Object... arguments) {
        return new UserCall(name, result, function, expressions(arguments), true);
    }

    private static List<Expression> expressions(@Nullable Object... values) {
        return Arrays.stream(values).map(Expression::of).toList();
    }
}

package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ArithmeticOperator;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.internal.text.TextValues;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Casts between types: numbers, decimals and times in vectorised loops, text from and to bytes, all other types by
/// their Java values.
final class CastNode {
    private static final long SECONDS_PER_DAY = 86_400;

    private CastNode() {}

    /// The node's values as `target`.
    ///
    /// @param checked a value that does not fit is an error that names `origin`; otherwise it becomes null
    static ExpressionNode cast(ExpressionNode node, DataType target, boolean checked, Expression origin) {
        DataType from = TypePromotion.plain(node.type());
        DataType to = TypePromotion.plain(target);
        ValueMisfit misfit = checked ? misfit(origin, from, to) : null;
        if (node instanceof ConstantNode constant) {
            return new ConstantNode(to, constant(constant, to, misfit));
        }
        if (from.equals(to)) {
            return node;
        }
        if (from.isNumeric() && to.isNumeric()) {
            return new Numbers(node, to, misfit);
        }
        if (CastRules.isNumber(from) && CastRules.isNumber(to)) {
            return new Decimals(node, to, misfit);
        }
        ExpressionNode time = time(node, from, to, checked, origin);
        if (time != null) {
            return time;
        }
        CastValues casts = new CastValues();
        TextParsing.Single single = (value, row) -> {
            try {
                return casts.cast(value, from, to);
            } catch (CastValues.Refused e) {
                if (misfit == null) {
                    return null;
                }
                throw misfit.error(row, value);
            }
        };
        if (from instanceof DataType.Utf8 && TextParsing.isFor(to)) {
            return new TextParsing(node, to, single);
        }
        if (to instanceof DataType.Utf8 && TextFormatting.isFor(from)) {
            return new TextFormatting(node, single);
        }
        return new RowwiseNode(
                to,
                List.of(node),
                true,
                (values, row) -> single.cast(Objects.requireNonNull(values[0], "a cast of null is null"), row));
    }

    private static @Nullable Object constant(ConstantNode constant, DataType to, @Nullable ValueMisfit misfit) {
        try {
            return constant.isNull()
                    ? null
                    : new CastValues().cast(constant.value(), TypePromotion.plain(constant.type()), to);
        } catch (CastValues.Refused e) {
            if (misfit == null) {
                return null;
            }
            throw misfit.error(0, constant.present());
        }
    }

    private static ValueMisfit misfit(Expression origin, DataType from, DataType to) {
        return (row, value) -> {
            String shown = Literal.of(value).toString();
            return MillraceException.data(origin + ": the " + from + " value "
                    + (shown.length() > 80 ? shown.substring(0, 80) + "..." : shown) + " does not fit " + to
                    + (value instanceof String text ? new TextValues().problem(text, to) : "")
                    + ", in row "
                    + row + " of the block. " + advice(from, to));
        };
    }

    private static String advice(DataType from, DataType to) {
        return from instanceof DataType.Float && to instanceof DataType.Int
                ? "Use round(), floor() or ceil() first, a wider type, or tryCast for null instead."
                : "Use tryCast for null instead, or correct the values first.";
    }

    /// Casts of times that need one multiplication or none; null for all others.
    private static @Nullable ExpressionNode time(
            ExpressionNode node, DataType from, DataType to, boolean checked, Expression origin) {
        boolean raw = from.equals(DataType.INT32) && to instanceof DataType.Date
                || from instanceof DataType.Date && to.equals(DataType.INT32)
                || from.equals(DataType.INT64)
                        && FixedOutput.isFixed(to)
                        && FixedOutput.width(to) == 8
                        && !CastRules.isNumber(to)
                || to.equals(DataType.INT64)
                        && FixedOutput.isFixed(from)
                        && FixedOutput.width(from) == 8
                        && !CastRules.isNumber(from);
        if (raw) {
            return new View(node, to);
        }
        if (from instanceof DataType.Date && to.equals(DataType.INT64)) {
            return new Numbers(new View(node, DataType.INT32), to, null);
        }
        if (!checked) {
            return null;
        }
        if (from instanceof DataType.Date && to instanceof DataType.Timestamp stamp && stamp.zone() == null) {
            ExpressionNode days = new Numbers(new View(node, DataType.INT32), DataType.INT64, null);
            return scaled(days, to, SECONDS_PER_DAY * stamp.unit().perSecond(), origin);
        }
        TimeUnit fine = unit(to);
        TimeUnit coarse = unit(from);
        boolean sameKind = from instanceof DataType.Duration && to instanceof DataType.Duration
                || from instanceof DataType.Timestamp a
                        && to instanceof DataType.Timestamp b
                        && (a.zone() == null) == (b.zone() == null);
        if (!sameKind || fine == null || coarse == null || fine.perSecond() < coarse.perSecond()) {
            return null;
        }
        return fine == coarse ? new View(node, to) : scaled(node, to, fine.perSecond() / coarse.perSecond(), origin);
    }

    private static ExpressionNode scaled(ExpressionNode count, DataType to, long factor, Expression origin) {
        ConstantNode by = new ConstantNode(DataType.INT64, factor);
        return new NumericArithmetic(to, ArithmeticOperator.MULTIPLY, count, by, origin);
    }

    static @Nullable TimeUnit unit(DataType type) {
        return switch (type) {
            case DataType.Timestamp stamp -> stamp.unit();
            case DataType.Duration duration -> duration.unit();
            case DataType.Time time -> time.unit();
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> null;
        };
    }

    /// Converts between number types; see [NumberConversion].
    static final class Numbers extends ExpressionNode {
        private final ExpressionNode input;
        private final @Nullable ValueMisfit misfit;

        Numbers(ExpressionNode input, DataType target, @Nullable ValueMisfit misfit) {
            super(target);
            this.input = input;
            this.misfit = misfit;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows)) {
                return NumberConversion.convert((FixedWidthColumn) held.column(), type(), rows, misfit);
            }
        }
    }

    /// Converts decimals to other numbers and back; see [DecimalConversion].
    static final class Decimals extends ExpressionNode {
        private final ExpressionNode input;
        private final @Nullable ValueMisfit misfit;

        Decimals(ExpressionNode input, DataType target, @Nullable ValueMisfit misfit) {
            super(target);
            this.input = input;
            this.misfit = misfit;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows)) {
                return DecimalConversion.convert((FixedWidthColumn) held.column(), type(), rows, misfit);
            }
        }
    }

    /// A view of the same memory as another type with the same storage.
    static final class View extends ExpressionNode {
        private final ExpressionNode input;

        View(ExpressionNode input, DataType type) {
            super(type);
            this.input = input;
        }

        @Override
        Column column(EvaluationRows rows) {
            return FixedOutput.view((FixedWidthColumn) DictionaryDecoding.decode(input.column(rows), rows), type());
        }
    }
}

package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.UserCall;
import dev.millrace.expression.UserFunction;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Calls of user functions; exceptions and invalid results are turned into error messages.
final class UserCalls {
    private UserCalls() {}

    static ExpressionNode bind(UserCall call, List<ExpressionNode> arguments) {
        return switch (call.function()) {
            case UserFunction.OfColumns function -> new OverColumns(call, function, arguments);
            case UserFunction.Of1<?, ?> _, UserFunction.Of2<?, ?, ?> _, UserFunction.Of3<?, ?, ?, ?> _ ->
                new RowwiseNode(call.result(), arguments, false, (values, row) -> apply(call, values, row));
        };
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Object apply(UserCall call, @Nullable Object[] values, long row) {
        try {
            return switch (call.function()) {
                case UserFunction.Of1<?, ?> f -> ((UserFunction.Of1<Object, Object>) f).apply(values[0]);
                case UserFunction.Of2<?, ?, ?> f ->
                    ((UserFunction.Of2<Object, Object, Object>) f).apply(values[0], values[1]);
                case UserFunction.Of3<?, ?, ?, ?> f ->
                    ((UserFunction.Of3<Object, Object, Object, Object>) f).apply(values[0], values[1], values[2]);
                case UserFunction.OfColumns _ -> throw new IllegalStateException("not called per row");
            };
        } catch (Exception | StackOverflowError e) {
            throw failed(call, "in row " + row + " of the block", e);
        }
    }

    /// Lack of memory is not the function's error, whoever requested it.
    private static RuntimeException failed(UserCall call, String where, Throwable cause) {
        if (cause instanceof MemoryYielded yielded) {
            return yielded;
        }
        Culprit culprit = cause instanceof MillraceException known && known.culprit() == Culprit.RESOURCES
                ? Culprit.RESOURCES
                : Culprit.USER;
        return new MillraceException(
                culprit, "The function of " + call + " failed " + where + ": " + cause + ".", cause);
    }

    private static final class OverColumns extends ExpressionNode {
        private final UserCall call;
        private final UserFunction.OfColumns function;
        private final List<ExpressionNode> arguments;

        OverColumns(UserCall call, UserFunction.OfColumns function, List<ExpressionNode> arguments) {
            super(call.result());
            this.call = call;
            this.function = function;
            this.arguments = List.copyOf(arguments);
        }

        @Override
        Column column(EvaluationRows rows) {
            List<Column> columns = new ArrayList<>();
            try {
                arguments.forEach(argument -> columns.add(argument.column(rows)));
                Column result;
                try {
                    result = function.apply(List.copyOf(columns), rows.allocator());
                } catch (Exception | StackOverflowError e) {
                    throw failed(call, "on a block of " + rows.count() + " rows", e);
                }
                return checked(result, rows.count());
            } finally {
                columns.forEach(Column::release);
            }
        }

        private Column checked(@Nullable Column result, long rows) {
            if (result == null) {
                throw MillraceException.user("The function of " + call + " returned null instead of a column.");
            }
            DataType got = result.type();
            if (result.length() != rows || !got.equals(type())) {
                long length = result.length();
                result.release();
                throw MillraceException.user(
                        "The function of " + call + " returned " + length + " values of type " + got + " for " + rows
                                + " rows of type " + type() + ". Return one value of the declared type per row.");
            }
            return result;
        }
    }
}

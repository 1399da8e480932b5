package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ColumnCall;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;

/// Calls of functions that other modules define.
final class ColumnCalls extends ExpressionNode {
    private final ColumnCall call;
    private final List<ExpressionNode> arguments;

    ColumnCalls(DataType type, ColumnCall call, List<ExpressionNode> arguments) {
        super(type);
        this.call = call;
        this.arguments = List.copyOf(arguments);
    }

    @Override
    Column column(EvaluationRows rows) {
        List<HeldColumn> held = new ArrayList<>();
        try {
            arguments.forEach(argument -> held.add(argument.values(rows)));
            List<Column> columns = held.stream().map(HeldColumn::column).toList();
            return checked(call.function().apply(columns, rows.allocator()), rows.count());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new MillraceException(
                    Culprit.INTERNAL, call + " failed on a block of " + rows.count() + " rows: " + e, e);
        } finally {
            held.forEach(HeldColumn::close);
        }
    }

    private Column checked(Column result, long rows) {
        if (result.length() != rows || !result.type().equals(type())) {
            long length = result.length();
            DataType got = result.type();
            result.release();
            throw MillraceException.internal(
                    call + " made " + length + " values of type " + got + " for " + rows + " rows of type " + type());
        }
        return result;
    }
}

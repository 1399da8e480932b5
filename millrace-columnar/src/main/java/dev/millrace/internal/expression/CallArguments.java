package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;

/// Checks the arguments of a call; each check has its own error message.
final class CallArguments {
    private CallArguments() {}

    static boolean isNumberOrNull(DataType type) {
        return CastRules.isNumber(type) || type instanceof DataType.Null;
    }

    static boolean isTextOrNull(DataType type) {
        return type instanceof DataType.Utf8 || type instanceof DataType.Null;
    }

    static void require(boolean holds, Call call, int argument, DataType type, String needed) {
        if (!holds) {
            throw MillraceException.user(call + ": " + call.arguments().get(argument) + " is " + type + ", but "
                    + call.function().text() + " needs " + needed + " there. Cast it.");
        }
    }

    static void requireInteger(Call call, int argument, DataType type) {
        require(type instanceof DataType.Int || type instanceof DataType.Null, call, argument, type, "an integer");
    }

    static void requireText(Call call, int argument, DataType type) {
        require(isTextOrNull(type), call, argument, type, "a string");
    }

    /// The constant at a position where only a constant is allowed.
    static Object constant(Call call, int argument) {
        Expression expression = call.arguments().get(argument).withoutAlias();
        if (expression instanceof Literal(Object value, DataType _) && value != null) {
            return value;
        }
        throw MillraceException.user(call + ": " + call.function().text() + " needs a constant as argument "
                + (argument + 1) + ", not " + expression + ".");
    }
}

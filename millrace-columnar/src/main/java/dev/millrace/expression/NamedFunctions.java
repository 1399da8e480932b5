package dev.millrace.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.wording.SimilarNames;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// The SQL functions by name, as expressions: text functions in [NamedTexts], numeric ones in [NamedNumbers], those of
/// times in [NamedTimes], those of lists in [NamedLists]. Used by both SQL expressions and queries.
final class NamedFunctions {
    /// Any number of arguments.
    static final int MANY = Integer.MAX_VALUE;

    private static final Set<String> AGGREGATES = Set.of(
            "count", "sum", "avg", "mean", "min", "max", "median", "stddev", "variance", "first", "last", "any_value");

    private static final Map<String, NamedFunction> FUNCTIONS = new TreeMap<>();

    /// @param least the minimum number of arguments
    private record NamedFunction(int least, int most, Function<List<Expression>, Expression> translation) {}

    static {
        NamedTexts.addAll();
        NamedNumbers.addAll();
        NamedTimes.addAll();
        NamedLists.addAll();
    }

    private NamedFunctions() {}

    static void add(String name, int arguments, Function<List<Expression>, Expression> translation) {
        add(name, arguments, arguments, translation);
    }

    static void add(String name, int least, int most, Function<List<Expression>, Expression> translation) {
        FUNCTIONS.put(name, new NamedFunction(least, most, translation));
    }

    /// The expression of a call.
    ///
    /// @param name not case-sensitive
    /// @throws MillraceException culprit USER: for an unknown name, a wrong number of arguments, and arguments that
    ///     must be constants but are not
    static Expression call(String name, List<Expression> arguments) {
        String lower = name.toLowerCase(Locale.ROOT);
        NamedFunction function = FUNCTIONS.get(lower);
        if (function == null) {
            throw unknown(name, lower);
        }
        if (arguments.size() < function.least || arguments.size() > function.most) {
            throw MillraceException.user(lower + " takes " + wanted(function) + ", not " + arguments.size() + ".");
        }
        return function.translation.apply(arguments);
    }

    private static MillraceException unknown(String name, String lower) {
        if (AGGREGATES.contains(lower)) {
            return MillraceException.user("'" + name + "' is an aggregate, and an expression has the values of one row."
                    + " Use aggregate(...), groupBy(...).aggregate(...), or a query.");
        }
        return MillraceException.user(
                "there is no function '" + name + "'." + SimilarNames.suggestion(lower, FUNCTIONS.keySet()));
    }

    private static String wanted(NamedFunction function) {
        String least = function.least + (function.least == 1 ? " argument" : " arguments");
        return function.most == MANY
                ? least + " or more"
                : function.most == function.least ? least : function.least + " to " + function.most + " arguments";
    }

    static String text(String function, List<Expression> arguments, int position) {
        return String.valueOf(constant(function, arguments, position));
    }

    static int whole(String function, List<Expression> arguments, int position) {
        if (constant(function, arguments, position) instanceof Number number) {
            return Math.clamp(number.longValue(), Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        throw MillraceException.user(function + ": argument " + (position + 1) + " must be a whole number, not "
                + arguments.get(position) + ".");
    }

    static Object constant(String function, List<Expression> arguments, int position) {
        if (arguments.get(position) instanceof Literal literal && literal.value() != null) {
            return literal.value();
        }
        throw MillraceException.user(function + ": argument " + (position + 1) + " must be a constant, not "
                + arguments.get(position) + ".");
    }
}

package dev.millrace.expression;

import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.greatest;
import static dev.millrace.expression.Expressions.least;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.expression.NamedFunctions.MANY;
import static dev.millrace.expression.NamedFunctions.add;
import static dev.millrace.expression.NamedFunctions.whole;

import dev.millrace.type.DataType;
import java.util.List;
import java.util.function.UnaryOperator;

/// Functions of numbers, and those that choose among values of any type.
final class NamedNumbers {
    private NamedNumbers() {}

    static void addAll() {
        add("abs", 1, a -> a.get(0).abs());
        add("sign", 1, a -> a.get(0).sign());
        add("mod", 2, a -> a.get(0).mod(a.get(1)));
        add("floor", 1, a -> a.get(0).floor());
        add("ceil", 1, a -> a.get(0).ceil());
        add("ceiling", 1, a -> a.get(0).ceil());
        add("round", 1, 2, a -> a.get(0).round(a.size() == 1 ? 0 : whole("round", a, 1)));
        add(
                "trunc",
                1,
                a -> when(a.get(0).lt(0))
                        .then(a.get(0).ceil())
                        .otherwise(a.get(0).floor()));
        addReals();
        add("coalesce", 1, MANY, a -> coalesce(a.toArray()));
        add("ifnull", 2, a -> coalesce(a.toArray()));
        add("nullif", 2, a -> when(a.get(0).eq(a.get(1))).then(lit(null)).otherwise(a.get(0)));
        add("if", 3, a -> when(a.get(0)).then(a.get(1)).otherwise(a.get(2)));
        add("greatest", 1, MANY, a -> greatest(a.toArray()));
        add("least", 1, MANY, a -> least(a.toArray()));
        add("cardinality", 1, a -> a.get(0).size());
    }

    private static void addReals() {
        add("log", 1, 2, NamedNumbers::log);
        addReal("log2", Expression::log2);
        addReal("log10", Expression::log10);
        addReal("ln", Expression::log);
        addReal("exp", Expression::exp);
        addReal("sqrt", Expression::sqrt);
        addReal("sin", Expression::sin);
        addReal("cos", Expression::cos);
        addReal("tan", Expression::tan);
        addReal("asin", Expression::asin);
        addReal("acos", Expression::acos);
        addReal("atan", Expression::atan);
        addReal("isnan", Expression::isNaN);
        add("atan2", 2, a -> real(a.get(0)).atan2(real(a.get(1))));
        add("pow", 2, a -> real(a.get(0)).pow(real(a.get(1))));
        add("power", 2, a -> real(a.get(0)).pow(real(a.get(1))));
        add("pi", 0, _ -> lit(Math.PI));
    }

    private static void addReal(String name, UnaryOperator<Expression> function) {
        add(name, 1, a -> function.apply(real(a.get(0))));
    }

    static Expression real(Expression number) {
        return number.cast(DataType.FLOAT64);
    }

    /// The logarithm to base 10, or to the base given as the first of two arguments.
    private static Expression log(List<Expression> a) {
        return a.size() == 1
                ? real(a.get(0)).log10()
                : real(a.get(1)).log().dividedBy(real(a.get(0)).log());
    }
}

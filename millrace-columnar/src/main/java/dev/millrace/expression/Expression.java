package dev.millrace.expression;

import dev.millrace.type.DataType;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A value computed per row from columns. Built with [Expressions] and the methods here and in [MathMethods],
/// [BitMethods], [HashMethods], [JsonMethods], [TextMethods], [CharacterMethods], [SimilarityMethods], [TimeMethods]
/// and [NestedMethods]; every method returns a
/// new expression and checks only its own arguments. Types are checked against a schema at the call of the dataset's
/// verb.
///
/// Where a method takes an `Object`, it accepts an [Expression]; any other value is a literal: `col("a").gt(5)`,
/// `col("a").gt(col("b"))`. A string is a literal, never a column.
///
/// The result is null if an operand is null, unless a method says otherwise. Logic is three-valued: `null and false` is
/// false, `null or true` is true, otherwise null stays null; a filter keeps only rows that are true. Floats are
/// compared according to IEEE 754: NaN equals nothing and is neither less nor greater, `-0.0` equals `0.0`. Strings are
/// compared by their UTF-8 bytes.
///
/// `toString` is the text in `explain()`: `(a + 1) > 5`.
public sealed interface Expression
        extends MathMethods,
                BitMethods,
                HashMethods,
                JsonMethods,
                TextMethods,
                CharacterMethods,
                SimilarityMethods,
                TimeMethods,
                NestedMethods,
                Serializable
        permits ColumnReference,
                Literal,
                Alias,
                Arithmetic,
                Comparison,
                Logical,
                Not,
                NullTest,
                Membership,
                Conditional,
                Coalesce,
                Cast,
                Call,
                ColumnCall,
                FieldAccess,
                MakeStruct,
                MakeList,
                ListLambda,
                UserCall {

    /// The value itself if it is an expression, otherwise a literal.
    static Expression of(@Nullable Object value) {
        return value instanceof Expression expression ? expression : Literal.of(value);
    }

    // Arithmetic. Integers that overflow are an error that names the expression.

    /// The sum. Integers that overflow are an error.
    default Expression plus(@Nullable Object other) {
        return new Arithmetic(ArithmeticOperator.ADD, this, of(other));
    }

    /// The difference. Integers that overflow are an error.
    default Expression minus(@Nullable Object other) {
        return new Arithmetic(ArithmeticOperator.SUBTRACT, this, of(other));
    }

    /// The product. Integers that overflow are an error.
    default Expression times(@Nullable Object other) {
        return new Arithmetic(ArithmeticOperator.MULTIPLY, this, of(other));
    }

    /// Division. Of integers the result is float64, and division by zero is an error; of floats division by zero
    /// follows IEEE 754.
    default Expression dividedBy(@Nullable Object other) {
        return new Arithmetic(ArithmeticOperator.DIVIDE, this, of(other));
    }

    /// Division that truncates towards zero; division of integers by zero is an error.
    default Expression intDiv(@Nullable Object other) {
        return new Arithmetic(ArithmeticOperator.INT_DIVIDE, this, of(other));
    }

    /// The remainder of [#intDiv], with the sign of this; for integers a zero divisor is an error.
    default Expression mod(@Nullable Object other) {
        return new Arithmetic(ArithmeticOperator.MODULO, this, of(other));
    }

    // Comparison

    /// Equal; null if either operand is.
    default Expression eq(@Nullable Object other) {
        return new Comparison(ComparisonOperator.EQUAL, this, of(other));
    }

    /// Not equal; null if either operand is.
    default Expression ne(@Nullable Object other) {
        return new Comparison(ComparisonOperator.NOT_EQUAL, this, of(other));
    }

    /// Less; null if either operand is.
    default Expression lt(@Nullable Object other) {
        return new Comparison(ComparisonOperator.LESS, this, of(other));
    }

    /// Less or equal; null if either operand is.
    default Expression le(@Nullable Object other) {
        return new Comparison(ComparisonOperator.LESS_OR_EQUAL, this, of(other));
    }

    /// Greater; null if either operand is.
    default Expression gt(@Nullable Object other) {
        return new Comparison(ComparisonOperator.GREATER, this, of(other));
    }

    /// Greater or equal; null if either operand is.
    default Expression ge(@Nullable Object other) {
        return new Comparison(ComparisonOperator.GREATER_OR_EQUAL, this, of(other));
    }

    /// Null-safe equality, which is never null: null equals only null.
    default Expression eqNullSafe(@Nullable Object other) {
        return new Comparison(ComparisonOperator.EQUAL_NULL_SAFE, this, of(other));
    }

    /// Between `low` and `high`, both inclusive.
    default Expression between(@Nullable Object low, @Nullable Object high) {
        return ge(low).and(le(high));
    }

    /// Whether this is one of `values`, which are constants and not null.
    default Expression isIn(Object... values) {
        return new Membership(this, Arrays.stream(values).map(Literal::of).toList());
    }

    /// Whether this is one of `values`, which are constants and not null.
    default Expression isIn(Collection<?> values) {
        return isIn(values.toArray());
    }

    // Logic

    /// Logical and; false if either is false, even if the other is null.
    default Expression and(@Nullable Object other) {
        return new Logical(LogicalOperator.AND, this, of(other));
    }

    /// Logical or; true if either is true, even if the other is null.
    default Expression or(@Nullable Object other) {
        return new Logical(LogicalOperator.OR, this, of(other));
    }

    /// Logical not; null for null.
    default Expression not() {
        return new Not(this);
    }

    // Null

    /// Whether this is null. The result is never null. NaN is not null.
    default Expression isNull() {
        return new NullTest(this, true);
    }

    /// Whether this is not null. The result is never null.
    default Expression isNotNull() {
        return new NullTest(this, false);
    }

    /// This, or `other` if this is null.
    default Expression ifNull(@Nullable Object other) {
        return new Coalesce(List.of(this, of(other)));
    }

    // Type and name

    /// Casts to another type. A value that does not fit (300 as int8, 1.5 as int32, 'abc' as float64) is an error that
    /// names it; [#tryCast] gives null instead.
    default Expression cast(DataType target) {
        return new Cast(this, target, true);
    }

    /// Like [#cast], but null instead of an error.
    default Expression tryCast(DataType target) {
        return new Cast(this, target, false);
    }

    /// Renames the output column.
    default Expression as(String name) {
        return new Alias(this, name);
    }

    // The tree

    /// The operands, in order.
    List<Expression> children();

    /// The same node with other operands; their number must be that of [#children].
    Expression withChildren(List<Expression> children);

    /// The name of the output column: the alias, the column or struct field it reads, else its text.
    default String outputName() {
        return switch (this) {
            case Alias alias -> alias.name();
            case ColumnReference column -> column.name();
            case FieldAccess access -> access.field();
            default -> toString();
        };
    }

    /// The names of the columns this reads, in order of appearance.
    default Set<String> columns() {
        Set<String> names = new LinkedHashSet<>();
        boolean _ = hasNode(node -> {
            if (node instanceof ColumnReference column) {
                names.add(column.name());
            }
            return false;
        });
        return names;
    }

    /// Whether this or a descendant matches. Searches from left to right without recursion, since expressions may be
    /// thousands of levels deep.
    private boolean hasNode(Predicate<Expression> wanted) {
        ArrayDeque<Expression> left = new ArrayDeque<>();
        left.push(this);
        while (!left.isEmpty()) {
            Expression next = left.pop();
            if (wanted.test(next)) {
                return true;
            }
            List<Expression> children = next.children();
            for (int i = children.size() - 1; i >= 0; i--) {
                left.push(children.get(i));
            }
        }
        return false;
    }

    /// This with the columns in `replacements` replaced, without the aliases of the replacements: used to push a filter
    /// below the projection that computes its columns.
    @SuppressWarnings("ReferenceEquality") // the same object: nothing was replaced
    default Expression substitute(Map<String, Expression> replacements) {
        if (this instanceof ColumnReference column) {
            Expression replacement = replacements.get(column.name());
            return replacement == null ? this : replacement.withoutAlias();
        }
        List<Expression> children = children();
        List<Expression> replaced = new ArrayList<>(children.size());
        boolean changed = false;
        for (Expression child : children) {
            Expression now = child.substitute(replacements);
            changed |= now != child;
            replaced.add(now);
        }
        return changed ? withChildren(replaced) : this;
    }

    /// The expression without its alias; itself if it has none.
    default Expression withoutAlias() {
        return this instanceof Alias alias ? alias.input().withoutAlias() : this;
    }

    /// Whether equal inputs always give equal results, so that an optimizer rule may move, repeat or fold this.
    default boolean isDeterministic() {
        return !hasNode(node -> node instanceof UserCall call && !call.deterministic()
                || node instanceof ListLambda lambda && !lambda.body().isDeterministic());
    }

    /// Whether it contains a call of code outside the core, which may be slow or fail.
    default boolean callsOut() {
        return hasNode(node -> node instanceof UserCall
                || node instanceof ColumnCall
                || node instanceof ListLambda lambda && lambda.body().callsOut());
    }

    /// The operands of `a and b and c`; this alone if it is not a conjunction.
    default List<Expression> conjuncts() {
        List<Expression> parts = new ArrayList<>();
        collectConjuncts(this, parts);
        return List.copyOf(parts);
    }

    private static void collectConjuncts(Expression expression, List<Expression> parts) {
        if (expression instanceof Logical(LogicalOperator operator, Expression left, Expression right)
                && operator == LogicalOperator.AND) {
            collectConjuncts(left, parts);
            collectConjuncts(right, parts);
        } else {
            parts.add(expression);
        }
    }

    /// The text of an operand: in parentheses if it is an operator itself.
    static String operand(Expression expression) {
        return switch (expression) {
            case Arithmetic _, Comparison _, Logical _, Not _, NullTest _, Membership _, Alias _, Conditional _ ->
                "(" + expression + ")";
            default -> expression.toString();
        };
    }
}

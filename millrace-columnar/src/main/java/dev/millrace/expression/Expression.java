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
/// [TextMethods], [TimeMethods] and [NestedMethods]; every method returns a new expression and checks nothing but
/// its own arguments. Types are checked when the expression meets a schema, at the call of the dataset's verb.
///
/// Where a method takes an `Object`, an [Expression] is itself and anything else is a literal: `col("a").gt(5)`,
/// `col("a").gt(col("b"))`. A string is a literal, never a column.
///
/// Null in, null out, unless a method says otherwise. Logic is three-valued: `null and false` is false, `null or true`
/// is true, otherwise null stays null; a filter keeps only rows that are true. Floats compare as IEEE 754 says: NaN
/// equals nothing and is neither less nor greater, `-0.0` equals `0.0`. Strings compare by their UTF-8 bytes.
///
/// `toString` is what `explain()` shows: `(a + 1) > 5`.
public sealed interface Expression extends MathMethods, TextMethods, TimeMethods, NestedMethods, Serializable
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
                UserCall {

    /// The expression itself, or a literal of any other value.
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

    /// Exact division: of integers it gives float64, and by zero it is an error; of floats by zero it is what IEEE 754
    /// says.
    default Expression dividedBy(@Nullable Object other) {
        return new Arithmetic(ArithmeticOperator.DIVIDE, this, of(other));
    }

    /// Division that truncates towards zero; of integers by zero it is an error.
    default Expression intDiv(@Nullable Object other) {
        return new Arithmetic(ArithmeticOperator.INT_DIVIDE, this, of(other));
    }

    /// The remainder of [#intDiv], with the sign of this; of integers by zero it is an error.
    default Expression mod(@Nullable Object other) {
        return new Arithmetic(ArithmeticOperator.MODULO, this, of(other));
    }

    // Comparison

    /// Equal; null where either is.
    default Expression eq(@Nullable Object other) {
        return new Comparison(ComparisonOperator.EQUAL, this, of(other));
    }

    /// Not equal; null where either is.
    default Expression ne(@Nullable Object other) {
        return new Comparison(ComparisonOperator.NOT_EQUAL, this, of(other));
    }

    /// Less; null where either is.
    default Expression lt(@Nullable Object other) {
        return new Comparison(ComparisonOperator.LESS, this, of(other));
    }

    /// Less or equal; null where either is.
    default Expression le(@Nullable Object other) {
        return new Comparison(ComparisonOperator.LESS_OR_EQUAL, this, of(other));
    }

    /// Greater; null where either is.
    default Expression gt(@Nullable Object other) {
        return new Comparison(ComparisonOperator.GREATER, this, of(other));
    }

    /// Greater or equal; null where either is.
    default Expression ge(@Nullable Object other) {
        return new Comparison(ComparisonOperator.GREATER_OR_EQUAL, this, of(other));
    }

    /// Equality that is never null: null equals null and nothing else.
    default Expression eqNullSafe(@Nullable Object other) {
        return new Comparison(ComparisonOperator.EQUAL_NULL_SAFE, this, of(other));
    }

    /// From `low` to `high`, both included.
    default Expression between(@Nullable Object low, @Nullable Object high) {
        return ge(low).and(le(high));
    }

    /// Whether this is one of `values`, which are constants and not null.
    default Expression isIn(Object... values) {
        return new Membership(this, Arrays.stream(values).map(Literal::of).toList());
    }

    /// Whether it is one of the values.
    default Expression isIn(Collection<?> values) {
        return isIn(values.toArray());
    }

    // Logic

    /// Both; false where either is false, whatever the other.
    default Expression and(@Nullable Object other) {
        return new Logical(LogicalOperator.AND, this, of(other));
    }

    /// Either; true where one is true, whatever the other.
    default Expression or(@Nullable Object other) {
        return new Logical(LogicalOperator.OR, this, of(other));
    }

    /// The opposite; null for null.
    default Expression not() {
        return new Not(this);
    }

    // Null

    /// Never null itself. NaN is not null.
    default Expression isNull() {
        return new NullTest(this, true);
    }

    /// Never null itself.
    default Expression isNotNull() {
        return new NullTest(this, false);
    }

    /// This, or `other` where this is null.
    default Expression ifNull(@Nullable Object other) {
        return new Coalesce(List.of(this, of(other)));
    }

    // Type and name

    /// This as another type. A value that does not fit (300 as int8, 1.5 as int32, 'abc' as float64) is an error that
    /// names it; [#tryCast] gives null instead.
    default Expression cast(DataType target) {
        return new Cast(this, target, true);
    }

    /// As `cast`, and null in place of an error.
    default Expression tryCast(DataType target) {
        return new Cast(this, target, false);
    }

    /// This under another output name.
    default Expression as(String name) {
        return new Alias(this, name);
    }

    // The tree

    /// The operands, in order.
    List<Expression> children();

    /// The same node over other operands: as many as [#children] has.
    Expression withChildren(List<Expression> children);

    /// The name of the column this makes: its alias, the column or struct field it reads, else its text.
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

    /// Whether this or something below is such a node; looked for from the left to the right, without calling itself,
    /// since expressions may be thousands of levels deep.
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

    /// This with the columns named in `replacements` replaced, aliases around the replacements removed: what moves a
    /// filter below the projection that computes its columns.
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

    /// What is inside of an alias; itself where there is none.
    default Expression withoutAlias() {
        return this instanceof Alias alias ? alias.input().withoutAlias() : this;
    }

    /// Whether equal inputs always give equal results, so that a rule may move, repeat or fold this.
    default boolean isDeterministic() {
        return !hasNode(node -> node instanceof UserCall call && !call.deterministic());
    }

    /// Whether code that is not core's is called somewhere in it, which may take long or fail.
    default boolean callsOut() {
        return hasNode(node -> node instanceof UserCall || node instanceof ColumnCall);
    }

    /// The parts of `a and b and c`; this alone if it is no conjunction.
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

    /// The text of an operand: in parentheses where it is an operator itself.
    static String operand(Expression expression) {
        return switch (expression) {
            case Arithmetic _, Comparison _, Logical _, Not _, NullTest _, Membership _, Alias _, Conditional _ ->
                "(" + expression + ")";
            default -> expression.toString();
        };
    }
}

package dev.millrace.internal.plan.optimize;

import dev.millrace.expression.Alias;
import dev.millrace.expression.Arithmetic;
import dev.millrace.expression.BitFunction;
import dev.millrace.expression.Call;
import dev.millrace.expression.Cast;
import dev.millrace.expression.CharacterFunction;
import dev.millrace.expression.Coalesce;
import dev.millrace.expression.ColumnCall;
import dev.millrace.expression.ColumnReference;
import dev.millrace.expression.Comparison;
import dev.millrace.expression.Conditional;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Expressions;
import dev.millrace.expression.FieldAccess;
import dev.millrace.expression.HashFunction;
import dev.millrace.expression.ListLambda;
import dev.millrace.expression.Literal;
import dev.millrace.expression.Logical;
import dev.millrace.expression.MakeList;
import dev.millrace.expression.MakeStruct;
import dev.millrace.expression.MathFunction;
import dev.millrace.expression.Membership;
import dev.millrace.expression.NestedFunction;
import dev.millrace.expression.Not;
import dev.millrace.expression.NullTest;
import dev.millrace.expression.SimilarityFunction;
import dev.millrace.expression.TextFunction;
import dev.millrace.expression.TimeFunction;
import dev.millrace.expression.UserCall;
import dev.millrace.internal.kernel.join.JoinColumns;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.relation.Join;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Predicate pushdown through joins: each conjunct above a join is pushed to the side whose columns it uses, if the
/// output has the values of that side's rows unchanged: both sides of an inner join, the preserved side of an outer
/// join. A conjunct over keys with a common name is pushed to both sides.
///
/// ```
/// Filter(a > 5 and b = 'x' and a < b)           Filter(a < b)
/// +- Join[inner(k)]                      =>     +- Join[inner(k)]
///    +- Read(k, a)                                 +- Filter(a > 5)
///    +- Read(k, b)                                 |  +- Read(k, a)
///                                                  +- Filter(b = 'x')
///                                                     +- Read(k, b)
/// ```
///
/// Only expressions that cannot fail are pushed: below the join they also see rows without a match.
final class FilterBelowJoin {
    /// Parts that every time has.
    private static final Set<TimeFunction> PARTS = EnumSet.range(TimeFunction.YEAR, TimeFunction.SECOND);

    private final Join.Kind kind;
    private final boolean isAsOf;
    private final Schema left;
    private final Schema right;
    private final JoinColumns columns;
    private final List<Expression> toLeft = new ArrayList<>();
    private final List<Expression> toRight = new ArrayList<>();
    private final List<Expression> above = new ArrayList<>();

    private FilterBelowJoin(LogicalPlan.Joined joined, JoinColumns columns) {
        this.kind = joined.join().kind();
        this.isAsOf = joined.join().asOf() != null;
        this.left = joined.left().schema().orElseThrow();
        this.right = joined.right().schema().orElseThrow();
        this.columns = columns;
    }

    /// @param below pushes a filter further down
    static LogicalPlan sink(
            LogicalPlan.Filter filter, LogicalPlan.Joined joined, Function<LogicalPlan.Filter, LogicalPlan> below) {
        Optional<JoinColumns> columns = joined.columns();
        if (columns.isEmpty()) {
            return filter;
        }
        FilterBelowJoin parts = new FilterBelowJoin(joined, columns.get());
        filter.predicate().conjuncts().forEach(parts::place);
        if (parts.toLeft.isEmpty() && parts.toRight.isEmpty()) {
            return filter;
        }
        LogicalPlan.Joined filtered = joined.withInputs(
                over(filter, joined.left(), parts.toLeft, below), over(filter, joined.right(), parts.toRight, below));
        return over(filter, filtered, parts.above, rest -> rest);
    }

    private static LogicalPlan over(
            LogicalPlan.Filter filter,
            LogicalPlan input,
            List<Expression> parts,
            Function<LogicalPlan.Filter, LogicalPlan> below) {
        return parts.stream()
                .reduce(Expression::and)
                .map(predicate -> below.apply(filter.withInput(input).withPredicate(predicate)))
                .orElse(input);
    }

    private void place(Expression part) {
        Map<String, Expression> ofLeft = new HashMap<>();
        Map<String, Expression> ofRight = new HashMap<>();
        boolean shared = true;
        for (String name : part.columns()) {
            JoinColumns.Source source = columns.sources().get(columns.schema().indexOf(name));
            boolean both = source.left() >= 0 && source.right() >= 0;
            boolean same = both && sameValues(source);
            shared &= same;
            if (source.left() >= 0 && (!both || same || kind != Join.Kind.RIGHT)) {
                ofLeft.put(name, Expressions.col(left.field(source.left()).name()));
            }
            if (source.right() >= 0 && (!both || same || kind == Join.Kind.RIGHT)) {
                ofRight.put(name, Expressions.col(right.field(source.right()).name()));
            }
        }
        int all = part.columns().size();
        boolean movable = all > 0 && cannotFail(part);
        boolean isLeft = movable && ofLeft.size() == all && (shared || mayFilter(Join.Kind.LEFT));
        boolean isRight = movable && ofRight.size() == all && (shared || mayFilter(Join.Kind.RIGHT));
        if (isLeft) {
            toLeft.add(part.substitute(ofLeft));
        }
        if (isRight) {
            toRight.add(part.substitute(ofRight));
        }
        if (!isLeft && !isRight) {
            above.add(part);
        }
    }

    /// Whether every output row has the values of a row of that side. The right of an as-of join must not be filtered:
    /// which row is the nearest depends on all of them.
    private boolean mayFilter(Join.Kind side) {
        if (isAsOf && side == Join.Kind.RIGHT) {
            return false;
        }
        return switch (kind) {
            case INNER, CROSS -> true;
            case LEFT, LEFT_SEMI, LEFT_ANTI -> side == Join.Kind.LEFT;
            case RIGHT, RIGHT_SEMI, RIGHT_ANTI -> side == Join.Kind.RIGHT;
            case FULL -> false;
        };
    }

    /// Equal keys with identical values on both sides, so that a test of one is a test of the other.
    private boolean sameValues(JoinColumns.Source source) {
        DataType type = left.field(source.left()).type();
        return type.equals(right.field(source.right()).type()) && !(type instanceof DataType.Float);
    }

    private static boolean cannotFail(Expression expression) {
        boolean itself = switch (expression) {
            case ColumnReference _,
                    Literal _,
                    Comparison _,
                    Logical _,
                    Not _,
                    NullTest _,
                    Membership _,
                    Alias _,
                    Conditional _,
                    Coalesce _,
                    FieldAccess _ -> true;
            case Call call -> cannotFail(call);
            case Arithmetic _, Cast _, ColumnCall _, MakeStruct _, MakeList _, ListLambda _, UserCall _ -> false;
        };
        return itself && expression.children().stream().allMatch(FilterBelowJoin::cannotFail);
    }

    /// Whether the function has a result for all arguments of its types.
    private static boolean cannotFail(Call call) {
        return switch (call.function()) {
            case TextFunction text -> cannotFail(text, call.arguments());
            case TimeFunction part -> PARTS.contains(part);
            case HashFunction _ -> true;
            case BitFunction _, CharacterFunction _, MathFunction _, NestedFunction _, SimilarityFunction _ -> false;
        };
    }

    private static boolean cannotFail(TextFunction function, List<Expression> arguments) {
        return switch (function) {
            case LOWER,
                    UPPER,
                    TRIM,
                    LTRIM,
                    RTRIM,
                    REVERSE,
                    LENGTH,
                    BYTE_LENGTH,
                    STARTS_WITH,
                    ENDS_WITH,
                    INDEX_OF,
                    REPLACE,
                    LIKE,
                    SPLIT,
                    CONCAT,
                    INITCAP,
                    CAPITALIZE,
                    TITLE,
                    SWAP_CASE,
                    TRANSLATE,
                    NORMALIZE,
                    CODE_POINT,
                    COUNT_MATCHES,
                    SPLIT_PART,
                    SPLIT_WHITESPACE,
                    PARSE_URL,
                    TO_BINARY -> true;
            // A position in a column may be larger than any text's.
            case SUBSTRING -> arguments.stream().skip(1).allMatch(Literal.class::isInstance);
            // Their results may be too long.
            case LPAD, RPAD, CENTER, REPEAT -> false;
            // Java's matcher may overflow its stack, and a replacement may name a group that is not there.
            case REGEX_MATCHES,
                    REGEX_EXTRACT,
                    REGEX_REPLACE,
                    REGEX_REPLACE_FIRST,
                    REGEX_SPLIT,
                    REGEX_EXTRACT_ALL,
                    REGEX_COUNT,
                    REGEX_INDEX_OF -> false;
            // The text may be no JSON.
            case JSON_EXTRACT, JSON_TEXT -> false;
        };
    }
}

package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
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
import dev.millrace.expression.ComparisonOperator;
import dev.millrace.expression.Conditional;
import dev.millrace.expression.Expression;
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
import dev.millrace.expression.UserFunction;
import dev.millrace.internal.thread.DeepStack;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Determines the type of an expression over a schema, without data: the check at the call of a dataset's verb.
public final class ExpressionTypes {
    private final Schema schema;
    private final Expression whole;
    /// By identity, so that each subexpression is typed once.
    private final IdentityHashMap<Expression, DataType> known = new IdentityHashMap<>();

    /// @param whole the expression that errors name
    ExpressionTypes(Schema schema, Expression whole) {
        this.schema = schema;
        this.whole = whole;
    }

    /// The type of the values.
    ///
    /// @throws MillraceException culprit USER: for a missing column, listing the existing ones; for incompatible
    ///     operands, naming the expression, the types and a remedy
    public static DataType typeOf(Expression expression, Schema schema) {
        return DeepStack.call(() -> new ExpressionTypes(schema, expression).type(expression));
    }

    /// The output field of an expression: its name and type.
    public static Field fieldOf(Expression expression, Schema schema) {
        return new Field(expression.outputName(), typeOf(expression, schema));
    }

    /// Checks a filter's condition: its type must be bool.
    public static void requireCondition(Expression condition, Schema schema, String verb) {
        DataType type = typeOf(condition, schema);
        if (!isBoolean(type)) {
            throw MillraceException.user(verb + " needs a condition, but " + condition + " is " + type
                    + ". Compare it, e.g. " + Expression.operand(condition) + " > 0, or is not null.");
        }
    }

    /// The type of the whole or of a part of it.
    DataType type(Expression node) {
        DataType before = known.get(node);
        if (before != null) {
            return before;
        }
        DataType type = compute(node);
        known.put(node, type);
        return type;
    }

    private DataType compute(Expression node) {
        return switch (node) {
            case ColumnReference column -> column(column);
            case Literal literal -> literal.type();
            case Alias alias -> type(alias.input());
            case Arithmetic arithmetic -> arithmetic(arithmetic);
            case Comparison comparison -> comparison(comparison);
            case Logical logical -> {
                requireBoolean(logical, logical.left());
                requireBoolean(logical, logical.right());
                yield DataType.BOOL;
            }
            case Not not -> {
                requireBoolean(not, not.input());
                yield DataType.BOOL;
            }
            case NullTest test -> {
                type(test.input());
                yield DataType.BOOL;
            }
            case Membership membership -> membership(membership);
            case Conditional conditional -> conditional(conditional);
            case Coalesce coalesce -> common(coalesce, coalesce.inputs());
            case Cast cast -> cast(cast);
            case FieldAccess access -> field(access);
            case MakeList list -> DataType.list(common(list, list.elements()));
            case MakeStruct struct ->
                DataType.struct(struct.fields().stream()
                        .map(f -> new Field(f.outputName(), type(f)))
                        .toArray(Field[]::new));
            case ListLambda lambda -> lambda(lambda);
            case UserCall call -> userCall(call);
            case ColumnCall call ->
                call.function()
                        .type(call.arguments().stream()
                                .map(argument -> TypePromotion.plain(type(argument)))
                                .toList());
            case Call call -> {
                List<DataType> types = call.arguments().stream()
                        .map(a -> TypePromotion.plain(type(a)))
                        .toList();
                yield switch (call.function()) {
                    case MathFunction function -> MathTypes.result(function, call, types);
                    case BitFunction function -> BitKernels.result(function, call, types);
                    case HashFunction function -> HashKernels.result(function, call, types);
                    case TextFunction function -> TextTypes.result(function, call, types);
                    case CharacterFunction _ -> {
                        CallArguments.requireText(call, 0, types.getFirst());
                        yield DataType.BOOL;
                    }
                    case SimilarityFunction function -> SimilarityTypes.result(function, call, types);
                    case TimeFunction function -> TimeTypes.result(function, call, types);
                    case NestedFunction function -> NestedTypes.result(function, call, types);
                };
            }
        };
    }

    private DataType column(ColumnReference column) {
        int position = schema.indexOf(column.name());
        return schema.field(position >= 0 ? position : schema.require(column.name(), whole.toString()))
                .type();
    }

    private DataType arithmetic(Arithmetic node) {
        DataType left = type(node.left());
        DataType right = type(node.right());
        DataType result = ArithmeticTypes.result(node, left, right);
        if (result == null) {
            throw mismatch(node, node.left(), left, node.right(), right);
        }
        return result;
    }

    private DataType comparison(Comparison node) {
        DataType left = type(node.left());
        DataType right = type(node.right());
        TimeLiterals.typed(node.left(), right, node);
        TimeLiterals.typed(node.right(), left, node);
        DataType common = comparedAs(node.left(), left, node.right(), right);
        if (common == null && isDecimalOrInt(left) && isDecimalOrInt(right)) {
            return DataType.BOOL;
        }
        if (common == null) {
            throw mismatch(node, node.left(), left, node.right(), right);
        }
        boolean equality = switch (node.operator()) {
            case EQUAL, NOT_EQUAL, EQUAL_NULL_SAFE -> true;
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> false;
        };
        if (!equality && !Types.hasOrder(common)) {
            throw MillraceException.user(node + ": values of type " + common + " have no order; only "
                    + ComparisonOperator.EQUAL.symbol() + " and " + ComparisonOperator.NOT_EQUAL.symbol()
                    + " compare them. Compare a field or element instead.");
        }
        return DataType.BOOL;
    }

    /// The type in which two values are compared, or null: that of [TypePromotion#common], except that uint64 and a
    /// signed integer are compared as decimals, which represent both, and a constant text and a time as the time that
    /// the text denotes. Also null for decimals that have no common decimal type: these are compared as stored.
    static @Nullable DataType comparedAs(Expression left, DataType leftType, Expression right, DataType rightType) {
        DataType leftTime = TimeLiterals.typeBeside(left, rightType);
        DataType rightTime = TimeLiterals.typeBeside(right, leftType);
        DataType a = leftTime != null ? leftTime : TypePromotion.besides(left, leftType, rightType);
        DataType b = rightTime != null ? rightTime : TypePromotion.besides(right, rightType, leftType);
        boolean mixed = a instanceof DataType.Int x
                && b instanceof DataType.Int y
                && x.signed() != y.signed()
                && (a.equals(DataType.UINT64) || b.equals(DataType.UINT64));
        return mixed ? DataType.decimal(20, 0) : TypePromotion.common(a, b);
    }

    private static boolean isDecimalOrInt(DataType type) {
        return TypePromotion.plain(type) instanceof DataType.Decimal
                || TypePromotion.plain(type) instanceof DataType.Int;
    }

    private DataType membership(Membership node) {
        DataType input = type(node.input());
        for (Literal value : node.values()) {
            TimeLiterals.typed(value, input, node);
            if (comparedAs(node.input(), input, value, value.type()) == null) {
                throw mismatch(node, node.input(), input, value, value.type());
            }
        }
        return DataType.BOOL;
    }

    private DataType conditional(Conditional node) {
        node.branches().forEach(branch -> requireBoolean(node, branch.condition()));
        List<Expression> values = new ArrayList<>();
        node.branches().forEach(branch -> values.add(branch.value()));
        values.add(node.otherwise());
        return common(node, values);
    }

    private DataType common(Expression node, List<Expression> values) {
        if (values.isEmpty()) {
            return DataType.NULL;
        }
        Expression first = values.getFirst();
        DataType common = TypePromotion.plain(type(first));
        for (Expression value : values.subList(1, values.size())) {
            DataType type = type(value);
            DataType wider = common.equals(type) ? type : TypePromotion.common(common, type);
            if (wider == null) {
                throw mismatch(node, first, common, value, type);
            }
            common = wider;
        }
        return common;
    }

    private DataType cast(Cast node) {
        DataType input = type(node.input());
        if (!CastRules.isPossible(input, node.target())) {
            throw MillraceException.user(node + ": there is no way from " + input + " to " + node.target()
                    + ". Write a udf that makes the value.");
        }
        return node.target();
    }

    private DataType field(FieldAccess node) {
        DataType input = TypePromotion.plain(type(node.input()));
        if (!(input instanceof DataType.Struct struct)) {
            throw MillraceException.user(node + ": " + node.input() + " is " + input
                    + ", not a struct, and has no field '" + node.field() + "'.");
        }
        return struct.fields().stream()
                .filter(f -> f.name().equals(node.field()))
                .findFirst()
                .orElseThrow(() ->
                        MillraceException.user(node + ": there is no field '" + node.field() + "'. The fields are "
                                + struct.fields().stream().map(Field::name).toList() + "."))
                .type();
    }

    private DataType lambda(ListLambda node) {
        DataType list = type(node.list());
        Schema inner = ListLambdas.schema(
                node, list, node.captured().stream().map(this::type).toList());
        return switch (node.kind()) {
            case MAP -> DataType.list(TypePromotion.plain(typeOf(node.body(), inner)));
            case FILTER -> {
                requireCondition(node.body(), inner, "listFilter");
                yield DataType.list(inner.field(0).type());
            }
        };
    }

    private DataType userCall(UserCall node) {
        node.arguments().forEach(this::type);
        int needed = switch (node.function()) {
            case UserFunction.Of1<?, ?> _ -> 1;
            case UserFunction.Of2<?, ?, ?> _ -> 2;
            case UserFunction.Of3<?, ?, ?, ?> _ -> 3;
            case UserFunction.OfColumns _ -> node.arguments().size();
        };
        if (node.arguments().size() != needed) {
            throw MillraceException.user(node + ": the function takes " + needed + " arguments, not "
                    + node.arguments().size() + ".");
        }
        return node.result();
    }

    private void requireBoolean(Expression node, Expression operand) {
        DataType type = type(operand);
        if (!isBoolean(type)) {
            throw MillraceException.user(node + ": " + operand + " is " + type
                    + ", but a condition must be bool. Compare it, or cast it to bool.");
        }
    }

    private static boolean isBoolean(DataType type) {
        DataType plain = TypePromotion.plain(type);
        return plain instanceof DataType.Bool || plain instanceof DataType.Null;
    }

    private static MillraceException mismatch(
            Expression node, Expression left, DataType leftType, Expression right, DataType rightType) {
        return MillraceException.user(node + ": " + left + " is " + leftType + " and " + right + " is " + rightType
                + ", which do not go together. Cast one of them, e.g. " + castHint(left, leftType, right, rightType)
                + ".");
    }

    private static String castHint(Expression left, DataType leftType, Expression right, DataType rightType) {
        return right instanceof Literal
                ? "cast(" + left + " as " + rightType + ")"
                : "cast(" + right + " as " + leftType + ")";
    }
}

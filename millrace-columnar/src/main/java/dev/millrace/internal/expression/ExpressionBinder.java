package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Alias;
import dev.millrace.expression.Arithmetic;
import dev.millrace.expression.ArithmeticOperator;
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
import dev.millrace.expression.LogicalOperator;
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
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// Translates a typed expression into nodes: column names are resolved to positions, operands are cast to their common
/// type, constants are folded, and each operator gets the kernel of its types.
final class ExpressionBinder {
    private final Schema schema;
    private final ExpressionTypes types;
    /// By identity, whether the whole subtree is constant.
    private final IdentityHashMap<Expression, Boolean> constants = new IdentityHashMap<>();

    /// @param whole the complete expression
    ExpressionBinder(Schema schema, Expression whole) {
        this.schema = schema;
        this.types = new ExpressionTypes(schema, whole);
    }

    ExpressionNode bind(Expression expression) {
        DataType type = types.type(expression);
        ExpressionNode node = node(expression, type);
        return isFoldable(expression) ? ConstantFolding.fold(node) : node;
    }

    /// Whether the whole subtree is constant; user functions are not folded.
    private boolean isFoldable(Expression expression) {
        return !(expression instanceof Literal) && !expression.children().isEmpty() && isConstant(expression);
    }

    private boolean isConstant(Expression expression) {
        Boolean before = constants.get(expression);
        if (before != null) {
            return before;
        }
        boolean constant = !(expression instanceof ColumnReference)
                && !(expression instanceof UserCall)
                && !(expression instanceof ColumnCall)
                && !(expression instanceof ListLambda);
        for (Expression child : expression.children()) {
            // No short circuit: every child must be visited to be cached.
            constant &= isConstant(child);
        }
        constants.put(expression, constant);
        return constant;
    }

    private ExpressionNode node(Expression expression, DataType type) {
        return switch (expression) {
            case ColumnReference column -> new InputNode(type, schema.indexOf(column.name()));
            case Literal literal -> new ConstantNode(type, literal.value());
            case Alias alias -> bind(alias.input());
            case Arithmetic arithmetic -> arithmetic(arithmetic, type);
            case Comparison comparison -> comparison(comparison);
            case Logical logical -> {
                ExpressionNode left = bind(logical.left());
                ExpressionNode right = bind(logical.right());
                yield logical.operator() == LogicalOperator.AND
                        ? new LogicNodes.And(left, right)
                        : new LogicNodes.Or(left, right);
            }
            case Not not -> new LogicNodes.Not(bind(not.input()));
            case NullTest test -> new LogicNodes.IsNull(bind(test.input()), test.forNull());
            case Membership membership -> membership(membership);
            case Conditional conditional -> {
                List<ExpressionNode> conditions = new ArrayList<>();
                List<ExpressionNode> values = new ArrayList<>();
                conditional.branches().forEach(branch -> {
                    conditions.add(bind(branch.condition()));
                    values.add(as(branch.value(), type, conditional));
                });
                values.add(as(conditional.otherwise(), type, conditional));
                yield ConditionalNode.byCondition(type, conditions, values);
            }
            case Coalesce coalesce ->
                ConditionalNode.firstPresent(
                        type,
                        coalesce.inputs().stream()
                                .map(i -> as(i, type, coalesce))
                                .toList());
            case Cast cast -> cast(cast, type);
            case FieldAccess access -> {
                ExpressionNode input = bind(access.input());
                DataType.Struct struct = (DataType.Struct) TypePromotion.plain(input.type());
                int position =
                        struct.fields().stream().map(f -> f.name()).toList().indexOf(access.field());
                yield new NestedFunctions.FieldOf(type, input, position);
            }
            case MakeList list -> {
                DataType element = ((DataType.ListOf) type).element();
                List<ExpressionNode> elements =
                        list.elements().stream().map(e -> as(e, element, list)).toList();
                yield new RowwiseNode(type, elements, false, (values, row) -> new ArrayList<>(Arrays.asList(values)));
            }
            case MakeStruct struct ->
                new NestedFunctions.StructOf(
                        (DataType.Struct) type,
                        struct.fields().stream().map(this::bind).toList());
            case ListLambda lambda ->
                new ListLambdas(
                        type,
                        lambda,
                        bind(lambda.list()),
                        lambda.captured().stream().map(this::bind).toList());
            case UserCall call ->
                UserCalls.bind(call, call.arguments().stream().map(this::bind).toList());
            case ColumnCall call ->
                new ColumnCalls(
                        type, call, call.arguments().stream().map(this::bind).toList());
            case Call call -> call(call, type);
        };
    }

    private ExpressionNode call(Call call, DataType type) {
        List<ExpressionNode> arguments =
                call.arguments().stream().map(this::bind).toList();
        boolean skipsNulls = call.function() == MathFunction.LEAST
                || call.function() == MathFunction.GREATEST
                || call.function() == HashFunction.HASH;
        boolean hopeless = arguments.stream().anyMatch(ExpressionBinder::isNull);
        if (hopeless && !skipsNulls) {
            return new ConstantNode(type, null);
        }
        return switch (call.function()) {
            case MathFunction function -> MathBinding.bind(function, call, type, arguments);
            case BitFunction function -> BitKernels.bind(function, call, type, arguments);
            case HashFunction function -> HashKernels.bind(function, call, type, arguments);
            case TextFunction function -> TextBinding.bind(function, call, type, arguments);
            case CharacterFunction function -> new CharacterPredicate(function, arguments.getFirst());
            case SimilarityFunction function ->
                function.isOfTexts()
                        ? new TextKernels.Compared(
                                type, arguments.get(0), arguments.get(1), TextSimilarity.of(function), call)
                        : new VectorSimilarity(function, arguments.get(0), arguments.get(1), call);
            case TimeFunction function -> TimeBinding.bind(function, call, type, arguments);
            case NestedFunction function -> NestedFunctions.bind(function, call, type, arguments);
        };
    }

    /// Whether it is null for every row.
    private static boolean isNull(ExpressionNode node) {
        return node instanceof ConstantNode constant && constant.isNull() || node.type() instanceof DataType.Null;
    }

    private ExpressionNode cast(Cast cast, DataType type) {
        ExpressionNode input = bind(cast.input());
        ExpressionNode plain = CastNode.cast(input, type, cast.checked(), cast);
        return !(type instanceof DataType.Dictionary) || input.type().equals(type)
                ? plain
                : new RowwiseNode(type, List.of(plain), true, (values, row) -> values[0]);
    }

    private ExpressionNode as(Expression operand, DataType type, Expression origin) {
        return CastNode.cast(bind(operand), type, true, origin);
    }

    private ExpressionNode comparison(Comparison node) {
        ExpressionNode left = bind(node.left());
        ExpressionNode right = bind(node.right());
        DataType compared = ExpressionTypes.comparedAs(node.left(), left.type(), node.right(), right.type());
        if (compared == null) {
            return new ComparisonNode(node.operator(), decimal(left, node), decimal(right, node));
        }
        DataType common = PrimitiveStorage.computed(compared);
        boolean neverNull = node.operator() == ComparisonOperator.EQUAL_NULL_SAFE;
        if (!neverNull && (isNull(left) || isNull(right))) {
            return new ConstantNode(DataType.BOOL, null);
        }
        if (!neverNull && left instanceof InputNode input && right.isConstant() && isCoded(input, common)) {
            return coded(
                    input,
                    entry -> new ComparisonNode(node.operator(), entry, CastNode.cast(right, common, true, node)));
        }
        return new ComparisonNode(
                node.operator(), CastNode.cast(left, common, true, node), CastNode.cast(right, common, true, node));
    }

    private static ExpressionNode decimal(ExpressionNode number, Comparison node) {
        return TypePromotion.plain(number.type()) instanceof DataType.Int type
                ? CastNode.cast(number, TypePromotion.decimalOf(type), true, node)
                : CastNode.cast(number, TypePromotion.plain(number.type()), true, node);
    }

    /// Whether a column is a dictionary whose values already have the type of a condition.
    private static boolean isCoded(InputNode input, DataType type) {
        return input.type() instanceof DataType.Dictionary dictionary
                && dictionary.value().equals(type);
    }

    /// A condition evaluated on the entries of a dictionary column.
    private static ExpressionNode coded(InputNode input, UnaryOperator<ExpressionNode> condition) {
        DataType.Dictionary type = (DataType.Dictionary) input.type();
        return new OverDictionary(type, input.position(), condition.apply(OverDictionary.entry(type)));
    }

    private ExpressionNode membership(Membership node) {
        ExpressionNode input = bind(node.input());
        if (isNull(input)) {
            return new ConstantNode(DataType.BOOL, null);
        }
        DataType common = TypePromotion.plain(input.type());
        for (Literal value : node.values()) {
            common = Objects.requireNonNull(ExpressionTypes.comparedAs(node.input(), common, value, value.type()));
        }
        DataType type = PrimitiveStorage.computed(common);
        List<ConstantNode> values = node.values().stream()
                .map(value ->
                        (ConstantNode) CastNode.cast(new ConstantNode(value.type(), value.value()), type, true, node))
                .toList();
        if (input instanceof InputNode column && isCoded(column, type)) {
            return coded(column, entry -> new OneOf(entry, values));
        }
        return new OneOf(CastNode.cast(input, type, true, node), values);
    }

    private ExpressionNode arithmetic(Arithmetic node, DataType type) {
        return arithmetic(node.operator(), bind(node.left()), bind(node.right()), type, node);
    }

    /// An operator over operands of any compatible types, with a result of `type`.
    static ExpressionNode arithmetic(
            ArithmeticOperator operator, ExpressionNode left, ExpressionNode right, DataType type, Expression origin) {
        if (isNull(left) || isNull(right)) {
            return new ConstantNode(type, null);
        }
        return switch (type) {
            case DataType.Decimal decimal -> DecimalArithmetic.bind(operator, left, right, decimal, origin);
            case DataType.Timestamp stamp -> {
                DataType duration = DataType.duration(stamp.unit());
                yield left.type() instanceof DataType.Duration
                        ? numeric(operator, left, duration, right, stamp, type, origin)
                        : numeric(operator, left, stamp, right, duration, type, origin);
            }
            case DataType.Duration duration -> durations(operator, left, right, duration, origin);
            case DataType.Int integer
            when integer.equals(DataType.UINT64) -> DecimalArithmetic.unsigned(operator, left, right, origin);
            case DataType.Int _, DataType.Float _ -> {
                if (left.type() instanceof DataType.Duration && right.type() instanceof DataType.Duration) {
                    yield ratio(operator, left, right, origin);
                }
                if (operator == ArithmeticOperator.DIVIDE && isInteger(left) && isInteger(right)) {
                    yield NumericArithmetic.ratio(
                            CastNode.cast(left, DataType.FLOAT64, true, origin),
                            CastNode.cast(right, DataType.FLOAT64, true, origin),
                            origin);
                }
                DataType computed = PrimitiveStorage.computed(type);
                ExpressionNode wide = numeric(operator, left, computed, right, computed, computed, origin);
                yield computed.equals(type)
                        ? wide
                        : new CastNode.Numbers(wide, type, NumericArithmetic.narrowed(origin, type));
            }
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw MillraceException.internal("no arithmetic gives " + type);
        };
    }

    private static boolean isInteger(ExpressionNode node) {
        return TypePromotion.plain(node.type()) instanceof DataType.Int;
    }

    private static ExpressionNode numeric(
            ArithmeticOperator operator,
            ExpressionNode left,
            DataType leftType,
            ExpressionNode right,
            DataType rightType,
            DataType result,
            Expression origin) {
        return new NumericArithmetic(
                result,
                operator,
                CastNode.cast(left, leftType, true, origin),
                CastNode.cast(right, rightType, true, origin),
                origin);
    }

    private static ExpressionNode durations(
            ArithmeticOperator operator,
            ExpressionNode left,
            ExpressionNode right,
            DataType.Duration type,
            Expression origin) {
        boolean leftIsCount = TypePromotion.plain(left.type()) instanceof DataType.Int;
        boolean rightIsCount = TypePromotion.plain(right.type()) instanceof DataType.Int;
        if (leftIsCount || rightIsCount) {
            return numeric(
                    operator,
                    left,
                    leftIsCount ? DataType.INT64 : type,
                    right,
                    rightIsCount ? DataType.INT64 : type,
                    type,
                    origin);
        }
        DataType common = requireCommon(left, right);
        DataType operands = common instanceof DataType.Date ? DataType.timestamp(type.unit()) : common;
        if (operands instanceof DataType.Time) {
            // Times of day may have 32 bits: their stored counts are subtracted.
            ExpressionNode a = counts(CastNode.cast(left, operands, true, origin));
            ExpressionNode b = counts(CastNode.cast(right, operands, true, origin));
            return new NumericArithmetic(type, operator, a, b, origin);
        }
        return numeric(operator, left, operands, right, operands, type, origin);
    }

    private static DataType requireCommon(ExpressionNode left, ExpressionNode right) {
        return Objects.requireNonNull(
                TypePromotion.common(left.type(), right.type()), "operands without a common type have no result type");
    }

    private static ExpressionNode ratio(
            ArithmeticOperator operator, ExpressionNode left, ExpressionNode right, Expression origin) {
        DataType common = requireCommon(left, right);
        ExpressionNode a =
                CastNode.cast(counts(CastNode.cast(left, common, true, origin)), DataType.FLOAT64, true, origin);
        ExpressionNode b =
                CastNode.cast(counts(CastNode.cast(right, common, true, origin)), DataType.FLOAT64, true, origin);
        return new NumericArithmetic(DataType.FLOAT64, operator, a, b, origin);
    }

    /// The stored counts of a time or duration, as int64.
    private static ExpressionNode counts(ExpressionNode time) {
        if (time instanceof ConstantNode constant) {
            return new ConstantNode(
                    DataType.INT64,
                    StoredValues.of(time.type(), constant.present()).longValue());
        }
        boolean narrow = FixedOutput.width(TypePromotion.plain(time.type())) == 4;
        return narrow
                ? new CastNode.Numbers(new CastNode.View(time, DataType.INT32), DataType.INT64, null)
                : new CastNode.View(time, DataType.INT64);
    }
}

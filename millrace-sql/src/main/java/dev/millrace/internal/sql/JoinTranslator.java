package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.allOf;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;

import dev.millrace.Dataset;
import dev.millrace.expression.Expression;
import dev.millrace.relation.Join.Kind;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/// Translates one join of a query. Equal columns are the keys of a join of datasets; other conditions filter its pairs.
/// For outer joins, rows without a match are found by a second join, with the rows that have one.
final class JoinTranslator {
    private static final String KEY = "$key";
    private static final int MAX_PRECISION = 38;

    private final Join join;
    private final JoinRelType type;
    private final TranslatedRelation left;
    /// With names that the left does not have.
    private final TranslatedRelation right;

    private final List<Integer> leftKeys = new ArrayList<>();
    private final List<Integer> rightKeys = new ArrayList<>();
    private final List<Boolean> nullsDiffer = new ArrayList<>();
    /// The condition in addition to the keys, over the columns of both sides; or null.
    private final @Nullable Expression rest;

    private final List<String> restColumns;

    JoinTranslator(Join join, TranslatedRelation left, TranslatedRelation right) {
        this.join = join;
        this.type = join.getJoinType();
        this.left = left;
        this.right = right.renamed(rightNames(left, right));
        List<RexNode> others = new ArrayList<>();
        RelOptUtil.splitJoinCondition(
                join.getLeft(), join.getRight(), join.getCondition(), leftKeys, rightKeys, nullsDiffer, others);
        others.removeIf(RexNode::isAlwaysTrue);
        compareWide(others);
        RexTranslator translator = new RexTranslator(
                join.getCluster().getRexBuilder(),
                position -> position < left.columns().size()
                        ? left.column(position)
                        : this.right.column(position - left.columns().size()));
        this.rest = others.isEmpty() ? null : allOf(translator.all(others));
        this.restColumns = rest == null ? List.of() : List.copyOf(rest.columns());
    }

    /// Moves keys of decimals that together need more than 38 digits to the other conditions: they have no common type,
    /// but can be compared.
    private void compareWide(List<RexNode> others) {
        RexBuilder builder = join.getCluster().getRexBuilder();
        List<RelDataTypeField> fields =
                new ArrayList<>(join.getLeft().getRowType().getFieldList());
        fields.addAll(join.getRight().getRowType().getFieldList());
        for (int i = leftKeys.size() - 1; i >= 0; i--) {
            int ofRight = left.columns().size() + rightKeys.get(i);
            if (isTooWide(type(left, leftKeys.get(i)), type(right, rightKeys.get(i)))) {
                others.add(builder.makeCall(
                        nullsDiffer.get(i) ? SqlStdOperatorTable.EQUALS : SqlStdOperatorTable.IS_NOT_DISTINCT_FROM,
                        RexInputRef.of(leftKeys.get(i), fields),
                        RexInputRef.of(ofRight, fields)));
                leftKeys.remove(/* index */ i);
                rightKeys.remove(/* index */ i);
                nullsDiffer.remove(i);
            }
        }
    }

    private static DataType type(TranslatedRelation side, int column) {
        return side.dataset().schema().type(side.columns().get(column));
    }

    private static boolean isTooWide(DataType one, DataType two) {
        return one instanceof DataType.Decimal a
                && two instanceof DataType.Decimal b
                && Math.max(a.precision() - a.scale(), b.precision() - b.scale()) + Math.max(a.scale(), b.scale())
                        > MAX_PRECISION;
    }

    private static List<String> rightNames(TranslatedRelation left, TranslatedRelation right) {
        List<String> taken = new ArrayList<>(left.columns());
        List<String> names = new ArrayList<>();
        for (String column : right.columns()) {
            names.add(TranslatedRelation.free(column, taken));
            taken.add(names.getLast());
        }
        return names;
    }

    TranslatedRelation translate() {
        List<String> output = join.getRowType().getFieldNames();
        Dataset joined = rest == null ? joined(kind(type), left, right) : withRest();
        return new TranslatedRelation(joined.select(columns(type).toArray(String[]::new)), columns(type))
                .renamed(output);
    }

    private List<String> columns(JoinRelType wanted) {
        List<String> columns = new ArrayList<>(left.columns());
        if (wanted.projectsRight()) {
            columns.addAll(right.columns());
        }
        return columns;
    }

    private Dataset withRest() {
        return switch (type) {
            case INNER -> pairs();
            case SEMI -> having(Kind.LEFT_SEMI, left, right);
            case ANTI -> having(Kind.LEFT_ANTI, left, right);
            case LEFT -> all(pairs(), alone(left, right));
            case RIGHT -> all(pairs(), alone(right, left));
            case FULL -> all(pairs(), alone(left, right), alone(right, left));
            default -> throw RexTranslator.unsupported("A join of type " + type);
        };
    }

    private Expression requireRest() {
        return Objects.requireNonNull(rest, "only joins with other conditions come here");
    }

    private Dataset pairs() {
        return joined(Kind.INNER, left, right).filter(requireRest());
    }

    private Dataset all(Dataset first, Dataset... others) {
        String[] columns = columns(JoinRelType.INNER).toArray(String[]::new);
        Dataset[] selected = new Dataset[others.length];
        for (int i = 0; i < others.length; i++) {
            selected[i] = others[i];
        }
        return first.select(columns).union(selected);
    }

    /// The rows of one side without a match, without the other side's columns.
    private Dataset alone(TranslatedRelation side, TranslatedRelation other) {
        return having(Kind.LEFT_ANTI, side, other);
    }

    /// The rows of a side with a match, or without one. This depends only on the columns of the condition, so it is
    /// determined for each combination of their values.
    @SuppressWarnings("ReferenceEquality") // which of the two sides it is; they may be equal
    private Dataset having(Kind kind, TranslatedRelation side, TranslatedRelation other) {
        Set<String> used = new TreeSet<>(restColumns);
        (side == left ? leftKeys : rightKeys)
                .forEach(key -> used.add(side.columns().get(key)));
        used.retainAll(side.columns());
        List<String> columns = List.copyOf(used);
        Dataset candidates = columns.isEmpty() ? side.dataset() : distinct(side.dataset(), columns);
        TranslatedRelation combinations = columns.isEmpty() ? side : new TranslatedRelation(candidates, side.columns());
        Dataset matches = side == left
                ? joined(Kind.INNER, combinations, other).filter(requireRest())
                : joined(Kind.INNER, other, combinations).filter(requireRest());
        Schema schema = side.dataset().schema();
        List<Expression> keys =
                columns.isEmpty() ? List.of(lit(true).as(KEY)) : NullSafeKeys.of(schema, columns, "$match");
        List<String> names = NullSafeKeys.names(keys);
        Dataset found = distinct(matches.select(keys.toArray(Expression[]::new)), names);
        dev.millrace.relation.Join by = new dev.millrace.relation.Join(kind, names, names, null, null);
        return side.dataset()
                .withColumns(keys.toArray(Expression[]::new))
                .join(found, by)
                .select(side.columns().toArray(String[]::new));
    }

    static Dataset distinct(Dataset dataset, List<String> columns) {
        return dataset.select(columns.toArray(String[]::new)).distinct();
    }

    private static Kind kind(JoinRelType type) {
        return switch (type) {
            case INNER -> Kind.INNER;
            case LEFT -> Kind.LEFT;
            case RIGHT -> Kind.RIGHT;
            case FULL -> Kind.FULL;
            case SEMI -> Kind.LEFT_SEMI;
            case ANTI -> Kind.LEFT_ANTI;
            default -> throw RexTranslator.unsupported("A join of type " + type);
        };
    }

    /// A join by the keys alone. The result may have key columns in addition to the columns of the sides.
    private Dataset joined(Kind kind, TranslatedRelation from, TranslatedRelation to) {
        if (leftKeys.isEmpty() && (kind == Kind.INNER || kind == Kind.LEFT && isOneRow())) {
            return from.dataset().join(to.dataset(), dev.millrace.relation.Join.cross());
        }
        List<Expression> fromKeys = keys(from, leftKeys, "$left");
        List<Expression> toKeys = keys(to, rightKeys, "$right");
        return with(from.dataset(), fromKeys)
                .join(
                        with(to.dataset(), toKeys),
                        new dev.millrace.relation.Join(
                                kind, NullSafeKeys.names(fromKeys), NullSafeKeys.names(toKeys), null, null));
    }

    private boolean isOneRow() {
        Double least = join.getCluster().getMetadataQuery().getMinRowCount(join.getRight());
        Double most = join.getCluster().getMetadataQuery().getMaxRowCount(join.getRight());
        return least != null && most != null && least == 1 && most == 1;
    }

    private static Dataset with(Dataset dataset, List<Expression> keys) {
        Expression[] made =
                keys.stream().filter(key -> key.outputName().startsWith("$")).toArray(Expression[]::new);
        return made.length == 0 ? dataset : dataset.withColumns(made);
    }

    private List<Expression> keys(TranslatedRelation side, List<Integer> positions, String prefix) {
        if (positions.isEmpty()) {
            return List.of(lit(true).as(prefix));
        }
        List<Expression> keys = new ArrayList<>();
        for (int i = 0; i < positions.size(); i++) {
            String column = side.columns().get(positions.get(i));
            DataType there = side.dataset().schema().type(column);
            DataType compared = comparedAs(i);
            Expression value = compared == null || compared.equals(there)
                    ? col(column)
                    : col(column).cast(compared);
            if (nullsDiffer.get(i)) {
                // A column may be in several equalities, but keys must be different columns.
                boolean plain = value.withoutAlias().equals(col(column)) && positions.indexOf(positions.get(i)) == i;
                keys.add(plain ? value : value.as(prefix + i));
            } else {
                keys.addAll(NullSafeKeys.of(value, compared == null ? there : compared, prefix + i + "_0"));
            }
        }
        return keys;
    }

    /// The type to which both columns of an equality are cast, or null if they are comparable.
    private @Nullable DataType comparedAs(int equality) {
        RelDataType one = type(join.getLeft(), leftKeys.get(equality));
        RelDataType other = type(join.getRight(), rightKeys.get(equality));
        if (SqlTypes.isDecimal(one) && SqlTypes.isFloat(other) || SqlTypes.isFloat(one) && SqlTypes.isDecimal(other)) {
            return DataType.FLOAT64;
        }
        boolean zones =
                SqlTypes.isZoned(one) && SqlTypes.isLocal(other) || SqlTypes.isLocal(one) && SqlTypes.isZoned(other);
        return zones ? RexTranslator.ZONED : null;
    }

    private static RelDataType type(RelNode side, int column) {
        return side.getRowType().getFieldList().get(column).getType();
    }
}

package dev.millrace.internal.sql;

import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.expression.Expressions.allOf;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.expression.Expression;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import dev.millrace.window.WindowFunctions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/// Translates the nodes of a query to datasets, bottom-up.
final class RelTranslator {
    private static final String SIDE = "$side";

    private final Session session;

    RelTranslator(Session session) {
        this.session = session;
    }

    TranslatedRelation translate(RelNode node) {
        return switch (node) {
            case TableScan scan -> scan(scan);
            case Values values -> values(values);
            case Filter filter -> filter(filter);
            case Project project -> project(project);
            case Aggregate aggregate ->
                new AggregateTranslator(aggregate, translate(aggregate.getInput())).translate(session);
            case Join join ->
                new JoinTranslator(join, translate(join.getLeft()), translate(join.getRight())).translate();
            case Sort sort -> sort(sort);
            case SetOp set -> setOperation(set);
            case Uncollect uncollect -> UnnestTranslator.of(uncollect, translate(uncollect.getInput()), false);
            case Correlate correlate -> UnnestTranslator.of(correlate, translate(correlate.getLeft()));
            case RepeatUnion _ ->
                throw RexTranslator.unsupported(
                        "A recursive query",
                        "Write the steps as a loop of the program, each a query over the last one's.");
            default -> throw RexTranslator.unsupported("A query with " + node.getRelTypeName());
        };
    }

    private static TranslatedRelation scan(TableScan scan) {
        QueryCatalog.DatasetTable table = scan.getTable().unwrap(QueryCatalog.DatasetTable.class);
        return new TranslatedRelation(table.table().dataset(), scan.getRowType().getFieldNames());
    }

    private TranslatedRelation values(Values values) {
        List<String> names = values.getRowType().getFieldNames();
        List<Expression> columns = new ArrayList<>();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (List<RexLiteral> tuple : values.getTuples()) {
            Map<String, Object> row = new LinkedHashMap<>();
            for (int i = 0; i < names.size(); i++) {
                row.put(names.get(i), SqlLiterals.of(tuple.get(i)).value());
            }
            rows.add(row);
        }
        for (RelDataTypeField field : values.getRowType().getFieldList()) {
            DataType type = SqlTypes.toColumn(field.getType());
            if (type == null) {
                throw RexTranslator.unsupported("VALUES of type " + field.getType());
            }
            Expression value = rows.isEmpty() ? lit(null) : col(field.getName());
            columns.add(value.cast(type).as(field.getName()));
        }
        Dataset dataset = rows.isEmpty() ? session.range(0) : session.items(rows);
        return new TranslatedRelation(dataset.select(columns.toArray(Expression[]::new)), names);
    }

    private TranslatedRelation filter(Filter filter) {
        TranslatedRelation input = translate(filter.getInput());
        return input.with(input.dataset().filter(rex(filter, input).one(filter.getCondition())));
    }

    private static RexTranslator rex(RelNode node, TranslatedRelation input) {
        return new RexTranslator(node.getCluster().getRexBuilder(), input::column);
    }

    private TranslatedRelation project(Project project) {
        TranslatedRelation input = translate(project.getInput());
        WindowTranslator windows = new WindowTranslator(input, rex(project, input));
        windows.add(project.getProjects());
        List<Expression> values = rex(project, input).with(windows.results()).all(project.getProjects());
        List<String> names = project.getRowType().getFieldNames();
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            columns.add(values.get(i).as(names.get(i)));
        }
        return new TranslatedRelation(windows.computed().select(columns.toArray(Expression[]::new)), names);
    }

    private TranslatedRelation sort(Sort sort) {
        TranslatedRelation input = translate(sort.getInput());
        Dataset rows = input.dataset();
        List<SortKey> keys = new ArrayList<>();
        List<Expression> before = new ArrayList<>();
        for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
            String column = input.columns().get(key.getFieldIndex());
            if (key.nullDirection == RelFieldCollation.NullDirection.FIRST) {
                String flag = input.free("$null" + keys.size());
                before.add(col(column).isNotNull().as(flag));
                keys.add(SortKey.ascending(flag));
            }
            keys.add(new SortKey(column, key.getDirection().isDescending()));
        }
        rows = before.isEmpty() ? rows : rows.withColumns(before.toArray(Expression[]::new));
        rows = keys.isEmpty() ? rows : rows.sort(keys.toArray(SortKey[]::new));
        rows = before.isEmpty() ? rows : rows.select(input.columns().toArray(String[]::new));
        rows = sort.offset == null ? rows : rows.offset(count("OFFSET", sort.offset));
        rows = sort.fetch == null ? rows : rows.limit(count("LIMIT", sort.fetch));
        return input.with(rows);
    }

    private static long count(String clause, RexNode node) {
        if (node instanceof RexLiteral literal) {
            return literal.getValueAs(Long.class);
        }
        throw RexTranslator.unsupported(clause + " with anything but a number");
    }

    private TranslatedRelation setOperation(SetOp set) {
        List<String> names = set.getRowType().getFieldNames();
        List<Dataset> inputs = new ArrayList<>();
        for (RelNode input : set.getInputs()) {
            inputs.add(translate(input).renamed(names).dataset());
        }
        inputs = DecimalColumns.alike(inputs, names);
        return switch (set) {
            case Union union -> {
                Dataset all =
                        inputs.getFirst().union(inputs.subList(1, inputs.size()).toArray(Dataset[]::new));
                yield new TranslatedRelation(union.all ? all : JoinTranslator.distinct(all, names), names);
            }
            case Intersect intersect -> new TranslatedRelation(common(intersect, inputs, names, true), names);
            case Minus minus -> new TranslatedRelation(common(minus, inputs, names, false), names);
            default -> throw RexTranslator.unsupported("A query with " + set.getRelTypeName());
        };
    }

    /// Groups rows by all columns, where null equals null; the inputs that a group comes from decide whether it is
    /// kept. For ALL, duplicate rows of an input are distinguished by numbers.
    private static Dataset common(SetOp set, List<Dataset> inputs, List<String> names, boolean inBoth) {
        if (set.all) {
            return commonNumbered(inputs, names, inBoth);
        }
        return common(inputs, names, inBoth);
    }

    private static Dataset commonNumbered(List<Dataset> inputs, List<String> names, boolean inBoth) {
        String number = TranslatedRelation.free("$number", names);
        List<String> columns = new ArrayList<>(names);
        columns.add(number);
        Window equal = Window.partitionBy(names.toArray(String[]::new));
        Dataset result = inputs.getFirst();
        for (Dataset other : inputs.subList(1, inputs.size())) {
            WindowFunction count = WindowFunctions.rowNumber().as(number);
            result = common(List.of(result.window(equal, count), other.window(equal, count)), columns, inBoth)
                    .select(names.toArray(String[]::new));
        }
        return result;
    }

    private static Dataset common(List<Dataset> inputs, List<String> names, boolean inBoth) {
        Dataset result = inputs.getFirst();
        String side = TranslatedRelation.free(SIDE, names);
        String[] columns = names.toArray(String[]::new);
        for (Dataset other : inputs.subList(1, inputs.size())) {
            Expression kept = allOf(List.of(col("$first").eq(1), col("$last").eq(inBoth ? 2 : 1)));
            result = result.withColumn(side, lit(1))
                    .union(other.withColumn(side, lit(2)))
                    .groupBy(columns)
                    .aggregate(min(side).as("$first"), max(side).as("$last"))
                    .filter(kept)
                    .select(columns);
        }
        return result;
    }
}

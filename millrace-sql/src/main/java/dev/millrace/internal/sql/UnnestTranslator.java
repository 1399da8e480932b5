package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/// Translates UNNEST: one row for each element of a list, by itself or joined with the row of the list.
final class UnnestTranslator {
    private UnnestTranslator() {}

    /// @param input contains only the list
    static TranslatedRelation of(Uncollect node, TranslatedRelation input, boolean keepEmpty) {
        List<String> names = node.getRowType().getFieldNames();
        String list = list(node, input);
        Dataset rows = input.dataset().explode(list, keepEmpty);
        List<Expression> elements = elements(node, list);
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            columns.add(elements.get(i).as(names.get(i)));
        }
        return new TranslatedRelation(rows.select(columns.toArray(Expression[]::new)), names);
    }

    /// Only a list in each row of the left can be unnested: every other correlation has become a join before.
    static TranslatedRelation of(Correlate correlate, TranslatedRelation left) {
        Deque<RelNode> above = new ArrayDeque<>();
        RelNode node = correlate.getRight();
        while (node instanceof Project || node instanceof Filter) {
            above.push(node);
            node = node.getInput(0);
        }
        boolean outer = correlate.getJoinType() == JoinRelType.LEFT;
        if (!(node instanceof Uncollect uncollect)
                || !(uncollect.getInput() instanceof Project made)
                || !(made.getInput() instanceof Values one)
                || one.getTuples().size() != 1
                || !outer && correlate.getJoinType() != JoinRelType.INNER
                || outer && !above.stream().allMatch(UnnestTranslator::keepsNulls)) {
            throw unsupported();
        }
        String list = left.free("$list");
        RexNode expression =
                new Correlated(correlate, 0).apply(made.getProjects().getFirst());
        Dataset rows = left.dataset()
                .withColumn(list, translator(correlate, left.columns()).one(expression));
        rows = rows.explode(list(uncollect, new TranslatedRelation(rows, List.of(list))), outer);
        List<Expression> elements = elements(uncollect, list);
        return finished(correlate, left, rows, elements, above);
    }

    private static MillraceException unsupported() {
        return RexTranslator.unsupported(
                "A subquery that uses columns of the query around it in this way",
                "Write it as a join with a condition, or as a window function.");
    }

    private static boolean keepsNulls(RelNode node) {
        return node instanceof Project project
                && project.getProjects().stream().allMatch(RexInputRef.class::isInstance);
    }

    private static RexTranslator translator(RelNode node, List<String> columns) {
        return new RexTranslator(node.getCluster().getRexBuilder(), position -> col(columns.get(position)));
    }

    private static String list(Uncollect node, TranslatedRelation input) {
        if (node.withOrdinality) {
            throw RexTranslator.unsupported(
                    "UNNEST ... WITH ORDINALITY", "Number the rows with row_number() over a key of the row.");
        }
        if (node.getInput().getRowType().getFieldCount() != 1) {
            throw RexTranslator.unsupported("UNNEST of several lists at once", "Write an UNNEST for each.");
        }
        RelDataType type =
                node.getInput().getRowType().getFieldList().getFirst().getType();
        if (type.getComponentType() == null) {
            throw RexTranslator.unsupported("UNNEST of " + type, "It takes a list.");
        }
        return input.columns().getFirst();
    }

    /// The columns of an element: the element itself, or its fields.
    private static List<Expression> elements(Uncollect node, String element) {
        RelDataType type =
                node.getInput().getRowType().getFieldList().getFirst().getType().getComponentType();
        if (!type.isStruct()) {
            return List.of(col(element));
        }
        List<Expression> fields = new ArrayList<>();
        for (RelDataTypeField field : type.getFieldList()) {
            fields.add(col(element).field(field.getName()));
        }
        return fields;
    }

    /// Projections and filters over the elements, which may also use the left's columns.
    private static TranslatedRelation finished(
            Correlate correlate,
            TranslatedRelation left,
            Dataset exploded,
            List<Expression> elements,
            Deque<RelNode> above) {
        List<String> output = correlate.getRowType().getFieldNames();
        int before = left.columns().size();
        Dataset rows = exploded;
        List<Expression> right = elements;
        for (RelNode node : above) {
            List<Expression> inputs = new ArrayList<>();
            left.columns().forEach(column -> inputs.add(col(column)));
            inputs.addAll(right);
            RexTranslator translator = new RexTranslator(correlate.getCluster().getRexBuilder(), inputs::get);
            Correlated shifted = new Correlated(correlate, before);
            if (node instanceof Filter filter) {
                rows = rows.filter(translator.one(shifted.apply(filter.getCondition())));
            } else {
                List<Expression> next = new ArrayList<>();
                ((Project) node).getProjects().forEach(value -> next.add(translator.one(shifted.apply(value))));
                right = next;
            }
        }
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < output.size(); i++) {
            Expression value = i < before ? left.column(i) : right.get(i - before);
            columns.add(value.as(output.get(i)));
        }
        return new TranslatedRelation(rows.select(columns.toArray(Expression[]::new)), output);
    }

    /// Replaces the correlation variable by columns of the left; those of the right follow them.
    private static final class Correlated extends RexShuttle {
        private final CorrelationId variable;
        private final int before;

        Correlated(Correlate correlate, int before) {
            this.variable = correlate.getCorrelationId();
            this.before = before;
        }

        @Override
        public RexNode visitFieldAccess(RexFieldAccess access) {
            if (access.getReferenceExpr() instanceof RexCorrelVariable reference && reference.id.equals(variable)) {
                return new RexInputRef(access.getField().getIndex(), access.getType());
            }
            return super.visitFieldAccess(access);
        }

        @Override
        public RexNode visitInputRef(RexInputRef reference) {
            return new RexInputRef(reference.getIndex() + before, reference.getType());
        }
    }
}

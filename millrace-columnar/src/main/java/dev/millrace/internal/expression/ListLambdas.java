package dev.millrace.internal.expression;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.expression.ListLambda;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Evaluates the body of a [ListLambda] once per block, over the elements of all lists, beside which the captured
/// columns are repeated.
final class ListLambdas extends ExpressionNode {
    private final ListLambda lambda;
    private final ExpressionNode list;
    private final List<ExpressionNode> captured;
    private final Schema schema;
    private final ExpressionNode body;

    ListLambdas(DataType type, ListLambda lambda, ExpressionNode list, List<ExpressionNode> captured) {
        super(type);
        this.lambda = lambda;
        this.list = list;
        this.captured = List.copyOf(captured);
        this.schema = schema(
                lambda, list.type(), captured.stream().map(ExpressionNode::type).toList());
        this.body = new ExpressionBinder(schema, lambda.body()).bind(lambda.body());
    }

    /// The columns of the body: the element, then those that are captured.
    static Schema schema(ListLambda lambda, DataType list, List<DataType> captured) {
        List<Field> fields = new ArrayList<>();
        fields.add(new Field(lambda.element(), NestedTypes.elementOf(lambda, TypePromotion.plain(list))));
        for (int i = 0; i < captured.size(); i++) {
            fields.add(new Field(lambda.names().get(i), TypePromotion.plain(captured.get(i))));
        }
        return Schema.of(fields);
    }

    @Override
    Column column(EvaluationRows rows) {
        try (HeldColumn held = list.values(rows);
                ResourceScope scope = new ResourceScope()) {
            ListElements lists = ListElements.of(held.column());
            ListOutput all = new ListOutput(rows.count(), lists.total());
            int[] owners = new int[lists.total()];
            for (int row = 0; row < rows.count(); row++) {
                if (lists.isNull(row) || !rows.isActive(row)) {
                    all.endNull();
                    continue;
                }
                for (int i = lists.start(row); i < lists.end(row); i++) {
                    owners[all.count()] = row;
                    all.add(i);
                }
                all.end();
            }
            int count = all.count();
            List<Column> columns = scope.list();
            columns.add(GatherKernel.take(rows.allocator(), lists.column(), all.positions(), count));
            for (ExpressionNode node : captured) {
                try (HeldColumn outer = node.values(rows)) {
                    columns.add(GatherKernel.take(rows.allocator(), outer.column(), owners, count));
                }
            }
            try (Block block = Block.sharing(schema, columns, count)) {
                EvaluationRows elements = new EvaluationRows(block, rows.allocator(), null);
                return switch (lambda.kind()) {
                    case MAP -> all.over(type(), body.values(elements).column(), rows.allocator());
                    case FILTER -> {
                        ListOutput kept = filtered(all, body.truth(elements).yes(), rows.count());
                        yield kept.build(type(), columns.getFirst(), rows.allocator());
                    }
                };
            }
        }
    }

    private static ListOutput filtered(ListOutput all, long[] yes, long rows) {
        ListOutput kept = new ListOutput(rows, all.count());
        for (int row = 0; row < rows; row++) {
            if (all.isNull(row)) {
                kept.endNull();
                continue;
            }
            for (int i = all.start(row); i < all.start(row + 1); i++) {
                if (BitWords.get(yes, i)) {
                    kept.add(i);
                }
            }
            kept.end();
        }
        return kept;
    }
}

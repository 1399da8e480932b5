package dev.millrace.internal.expression;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;

/// An expression bound to a schema, ready to be evaluated over blocks of it. Bind it once per task and use it on one
/// thread.
public final class BoundExpression {
    private final Expression expression;
    private final Schema schema;
    private final ExpressionNode node;

    private BoundExpression(Expression expression, Schema schema, ExpressionNode node) {
        this.expression = expression;
        this.schema = schema;
        this.node = node;
    }

    /// @throws MillraceException culprit USER, see [ExpressionTypes#typeOf]
    public static BoundExpression bind(Expression expression, Schema schema) {
        return new BoundExpression(expression, schema, new ExpressionBinder(schema, expression).bind(expression));
    }

    public Expression expression() {
        return expression;
    }

    public DataType type() {
        return node.type();
    }

    /// The value of each row, with one reference to each buffer, which the caller owns. A plain column reference is
    /// shared, not copied.
    ///
    /// @throws MillraceException culprit DATA, for a value that overflows or does not fit, naming it; culprit USER, for
    ///     a user function that fails
    public Column evaluate(Block block, Allocator allocator) {
        return node.column(rows(block, allocator));
    }

    /// The rows for which a condition is true; null is not. A condition composed of comparisons does not materialise a
    /// column.
    public SelectionVector select(Block block, Allocator allocator) {
        TruthBits truth = node.truth(rows(block, allocator));
        long count = BitWords.count(truth.yes(), block.rows());
        if (count == block.rows()) {
            return SelectionVector.all(count);
        }
        return SelectionVector.of(positions(truth.yes(), (int) count), (int) count);
    }

    private static int[] positions(long[] words, int count) {
        int[] positions = new int[count];
        int at = 0;
        for (int w = 0; w < words.length; w++) {
            for (long bits = words[w]; bits != 0; bits &= bits - 1) {
                positions[at++] = (w << 6) + Long.numberOfTrailingZeros(bits);
            }
        }
        return positions;
    }

    private EvaluationRows rows(Block block, Allocator allocator) {
        if (!block.schema().equals(schema)) {
            throw MillraceException.internal(
                    expression + " was bound to [" + schema + "], but the block has [" + block.schema() + "]");
        }
        return new EvaluationRows(block, allocator, null);
    }
}

package dev.millrace.internal.expression;

import dev.millrace.column.Column;

/// Three-valued logic and null tests.
final class LogicNodes {
    private LogicNodes() {}

    /// `left and right`: the right side is evaluated only for the rows that the left side does not decide, if any.
    static final class And extends PredicateNode {
        private final ExpressionNode left;
        private final ExpressionNode right;

        And(ExpressionNode left, ExpressionNode right) {
            this.left = left;
            this.right = right;
        }

        @Override
        TruthBits truth(EvaluationRows rows) {
            TruthBits first = left.truth(rows);
            long[] open = BitWords.andNot(null, first.no());
            return BitWords.isEmpty(open, rows.count()) ? first : first.and(right.truth(rows.where(open)));
        }
    }

    static final class Or extends PredicateNode {
        private final ExpressionNode left;
        private final ExpressionNode right;

        Or(ExpressionNode left, ExpressionNode right) {
            this.left = left;
            this.right = right;
        }

        @Override
        TruthBits truth(EvaluationRows rows) {
            TruthBits first = left.truth(rows);
            long[] open = BitWords.andNot(null, first.yes());
            return BitWords.isEmpty(open, rows.count()) ? first : first.or(right.truth(rows.where(open)));
        }
    }

    static final class Not extends PredicateNode {
        private final ExpressionNode input;

        Not(ExpressionNode input) {
            this.input = input;
        }

        @Override
        TruthBits truth(EvaluationRows rows) {
            return input.truth(rows).not();
        }
    }

    static final class IsNull extends PredicateNode {
        private final ExpressionNode input;
        private final boolean forNull;

        IsNull(ExpressionNode input, boolean forNull) {
            this.input = input;
            this.forNull = forNull;
        }

        @Override
        TruthBits truth(EvaluationRows rows) {
            Column column = input.column(rows);
            try {
                long[] valid = BitWords.valid(column);
                long[] present = valid == null ? BitWords.all(rows.count()) : valid;
                return TruthBits.of(forNull ? BitWords.andNot(null, present) : present, null, rows.count());
            } finally {
                column.release();
            }
        }
    }
}

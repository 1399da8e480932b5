package dev.millrace.internal.expression;

import dev.millrace.column.Column;

/// Three-valued logic and null tests.
final class Conditions {
    private Conditions() {}

    /// `left and right`: the right side is computed for the rows that the left one has not settled, if any.
    static final class And extends Predicate {
        private final Node left;
        private final Node right;

        And(Node left, Node right) {
            this.left = left;
            this.right = right;
        }

        @Override
        Truth truth(Rows rows) {
            Truth first = left.truth(rows);
            long[] open = BitWords.andNot(null, first.no());
            return BitWords.isEmpty(open, rows.count()) ? first : first.and(right.truth(rows.where(open)));
        }
    }

    static final class Or extends Predicate {
        private final Node left;
        private final Node right;

        Or(Node left, Node right) {
            this.left = left;
            this.right = right;
        }

        @Override
        Truth truth(Rows rows) {
            Truth first = left.truth(rows);
            long[] open = BitWords.andNot(null, first.yes());
            return BitWords.isEmpty(open, rows.count()) ? first : first.or(right.truth(rows.where(open)));
        }
    }

    static final class Not extends Predicate {
        private final Node input;

        Not(Node input) {
            this.input = input;
        }

        @Override
        Truth truth(Rows rows) {
            return input.truth(rows).not();
        }
    }

    static final class IsNull extends Predicate {
        private final Node input;
        private final boolean forNull;

        IsNull(Node input, boolean forNull) {
            this.input = input;
            this.forNull = forNull;
        }

        @Override
        Truth truth(Rows rows) {
            Column column = input.column(rows);
            try {
                long[] valid = BitWords.valid(column);
                long[] present = valid == null ? BitWords.all(rows.count()) : valid;
                return Truth.of(forNull ? BitWords.andNot(null, present) : present, null, rows.count());
            } finally {
                column.release();
            }
        }
    }
}

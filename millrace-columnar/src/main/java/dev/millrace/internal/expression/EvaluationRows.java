package dev.millrace.internal.expression;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;
import org.jspecify.annotations.Nullable;

/// The context in which a bound expression is evaluated: a block, the account from which results are allocated, and the
/// rows whose results are used (`active`, null for all). Kernels compute every row, but only an active row may raise an
/// error, so that `when(b.ne(0)).then(a.intDiv(b))` never divides by zero.
record EvaluationRows(Block block, Allocator allocator, long @Nullable [] active) {

    long count() {
        return block.rows();
    }

    boolean isActive(long row) {
        return active == null || BitWords.get(active, row);
    }

    /// The active rows for which `mask` is set too.
    EvaluationRows where(long[] mask) {
        return new EvaluationRows(block, allocator, BitWords.and(mask, active));
    }
}

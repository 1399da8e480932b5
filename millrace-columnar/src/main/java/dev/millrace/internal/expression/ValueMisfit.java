package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;

/// The sentence for a value that has no result. Where there is none (a null instead), the result is null.
@FunctionalInterface
interface ValueMisfit {
    MillraceException error(long row, Object value);
}

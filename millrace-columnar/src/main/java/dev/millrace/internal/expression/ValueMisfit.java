package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;

/// Creates the error for a value that has no result. If there is no such object (null), the result is null.
@FunctionalInterface
interface ValueMisfit {
    MillraceException error(long row, Object value);
}

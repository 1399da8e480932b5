package dev.millrace.internal.exchange;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryRefused;
import org.jspecify.annotations.Nullable;

/// The size of a list of values of all rows, which is one value and so must fit into memory.
///
/// @param name of the aggregate, as it is written
/// @param column of the values
/// @param values the number of values, or a lower bound
/// @param bytes of these
record ListSize(String name, String column, long values, long bytes) {
    /// @throws MillraceException culprit RESOURCES, if no block of this session can be that large
    void requireFit(Allocator allocator) {
        if (bytes > allocator.limit()) {
            throw refusal(allocator, null);
        }
    }

    /// The error after a refused memory request.
    MillraceException refusal(Allocator allocator, @Nullable MemoryRefused cause) {
        String instead = name.startsWith("list(")
                ? "write the column instead (select(\"" + column + "\") and a write)"
                : "take the values as rows (distinct(\"" + column + "\"), valueCounts(\"" + column + "\"))";
        return new MillraceException(
                Culprit.RESOURCES,
                name + " over all rows is one value, here of " + values + " values and " + bytes
                        + " bytes or more, which must fit into memory; the memory limit is " + allocator.limit()
                        + " bytes. To have less in one value use groupBy, " + instead + ", or raise the memory limit."
                        + (cause == null ? "" : " (" + cause.getMessage() + ")"),
                cause);
    }
}

package dev.millrace.internal.kernel.aggregate;

import dev.millrace.block.Block;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A part that several of the aggregates over all rows are composed of. Blocks of different parts are shuffled
/// together; the name of the first column says which part a block belongs to, so that nothing is copied for it.
///
/// @param column whose values it contains; null for [Kind#STATES]
public record GlobalPart(Kind kind, @Nullable String column) implements Serializable {
    private static final String MARK = "part ";
    private static final String END = ": ";

    public GlobalPart {
        if ((column == null) != (kind == Kind.STATES)) {
            throw new IllegalArgumentException("A part of kind " + kind + " with column " + column + ".");
        }
    }

    public enum Kind {
        /// One row: the results of the aggregates that need no part of their own.
        STATES,
        /// A column `list` of one row: all values in their order.
        LIST,
        /// A row for each quantile: `quantile` and `value`.
        QUANTILES,
        /// Each distinct value once: `value`, its `count`, and its `place` in the order of first occurrence; or, if the
        /// values are not needed, rows of `distinct`, whose sum is the number of values without null.
        VALUES,
        /// One row: a `list` of the distinct values in the order of first occurrence, and their number as `distinct`.
        SET,
        /// One row: a `list` of the distinct values with their counts, the most frequent first, and `distinct`.
        VALUE_COUNTS
    }

    /// The column of a part that has one: of every kind but [Kind#STATES].
    public String requireColumn() {
        return Objects.requireNonNull(column, "states have no column");
    }

    /// The same block, marked as part `number`. The caller closes both.
    public static Block mark(Block block, int number) {
        return renamed(block, MARK + number + END + block.schema().field(0).name());
    }

    /// The number of the part that a block with these columns belongs to.
    public static int numberOf(Schema marked) {
        String name = marked.field(0).name();
        return Integer.parseInt(name, MARK.length(), name.indexOf(END), 10);
    }

    /// The block as it was before [#mark]. The caller closes both.
    public static Block unmark(Block marked) {
        String name = marked.schema().field(0).name();
        return renamed(marked, name.substring(name.indexOf(END) + END.length()));
    }

    private static Block renamed(Block block, String first) {
        List<Field> fields = new ArrayList<>(block.schema().fields());
        fields.set(0, new Field(first, fields.getFirst().type()));
        return Block.sharing(Schema.of(fields), block.columns(), block.rows());
    }
}

package dev.millrace.preprocess;

import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.aggregate.CategoryTable;
import dev.millrace.type.DataType;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The values that an encoder knows, in the order of their numbers, and how it treats other values.
///
/// Immutable; the lookup table is built on first use and is not serialised.
public final class Categories implements Serializable {
    private final DataType type;
    private final List<Object> values;
    private final boolean failOnUnknown;
    private final boolean failOnMissing;
    /// Built on first use; two threads may build one each, of which one is kept.
    private transient volatile @Nullable CategoryTable table;

    /// Categories with rules for unknown and missing values.
    ///
    /// @param type one that [CategoryTable#isFor] accepts
    /// @param values as [Column#value] returns them, each once
    public Categories(DataType type, List<?> values, boolean failOnUnknown, boolean failOnMissing) {
        this.type = type;
        this.values = List.copyOf(values);
        this.failOnUnknown = failOnUnknown;
        this.failOnMissing = failOnMissing;
    }

    /// The type of the values.
    public DataType type() {
        return type;
    }

    /// The values in order; the index of each is its number.
    public List<Object> values() {
        return values;
    }

    /// Whether an unknown value is an error.
    public boolean failOnUnknown() {
        return failOnUnknown;
    }

    /// Whether null is an error.
    public boolean failOnMissing() {
        return failOnMissing;
    }

    /// The number of categories.
    public int size() {
        return values.size();
    }

    /// Checks a column before it is encoded.
    ///
    /// @throws MillraceException culprit USER, if a column of that type cannot contain the values
    public void requireType(String call, DataType column) {
        boolean fits = switch (type) {
            case DataType.Int _ -> column instanceof DataType.Int;
            case DataType.Float _ -> column instanceof DataType.Float;
            case DataType.Decimal _ -> column instanceof DataType.Decimal;
            // Texts, booleans and dates.
            default -> column.equals(type);
        };
        if (!fits && !(column instanceof DataType.Null)) {
            throw MillraceException.user(
                    call + ": the categories were learnt from " + type + ", but the column is " + column + ".");
        }
    }

    /// The number of each value, negative if it has none.
    public int[] find(String call, Column column) {
        CategoryTable made = table;
        if (made == null) {
            made = CategoryTable.of(type, values);
            table = made;
        }
        int[] found = made.find(column);
        if (failOnUnknown || failOnMissing) {
            for (int row = 0; row < found.length; row++) {
                if (found[row] == CategoryTable.UNKNOWN && failOnUnknown) {
                    throw MillraceException.data(call + ": " + quoted(column.value(row)) + " is none of the "
                            + values.size() + " categories that were learnt, in row " + row
                            + " of the block. Learn from data that has it, or do not ask for an error on unknown"
                            + " values.");
                }
                if (found[row] == CategoryTable.MISSING && failOnMissing) {
                    throw MillraceException.data(call + ": there is " + (column.isNull(row) ? "null" : "NaN")
                            + " in row " + row + " of the block. Fill missing values first (SimpleImputer), or allow"
                            + " them with allowMissing().");
                }
            }
        }
        return found;
    }

    private static String quoted(@Nullable Object value) {
        return value instanceof String text ? "'" + text + "'" : String.valueOf(value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Categories categories
                && type.equals(categories.type)
                && values.equals(categories.values)
                && failOnUnknown == categories.failOnUnknown
                && failOnMissing == categories.failOnMissing;
    }

    @Override
    public int hashCode() {
        return Objects.hash(type, values, failOnUnknown, failOnMissing);
    }

    /// A few of them, for messages.
    @Override
    public String toString() {
        return values.size() <= 5
                ? values.toString()
                : "[" + values.get(0) + ", " + values.get(1) + ", " + values.get(2) + ", ... " + values.size() + "]";
    }
}

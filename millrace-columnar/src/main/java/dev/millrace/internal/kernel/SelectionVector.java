package dev.millrace.internal.kernel;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.StringColumn;
import java.util.function.DoublePredicate;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Which rows of a block are kept: ascending positions without repetition, or all of them without an array.
/// Immutable by contract.
public final class SelectionVector {
    /// Null if all rows are kept.
    private final int @Nullable [] positions;

    private final int count;

    private SelectionVector(int @Nullable [] positions, int count) {
        this.positions = positions;
        this.count = count;
    }

    /// All of `rows` rows.
    public static SelectionVector all(long rows) {
        return new SelectionVector(null, Math.toIntExact(rows));
    }

    /// The first `count` of `positions`, which must ascend; takes over the array.
    public static SelectionVector of(int[] positions, int count) {
        return new SelectionVector(positions, count);
    }

    /// The rows where `condition` is true; null counts as false.
    public static SelectionVector where(BooleanColumn condition) {
        return scan(condition, condition::get);
    }

    /// The rows whose value is not null and passes the predicate. Likewise the other typed forms.
    public static SelectionVector where(LongColumn column, LongPredicate predicate) {
        return scan(column, row -> predicate.test(column.get(row)));
    }

    public static SelectionVector where(IntColumn column, IntPredicate predicate) {
        return scan(column, row -> predicate.test(column.get(row)));
    }

    public static SelectionVector where(DoubleColumn column, DoublePredicate predicate) {
        return scan(column, row -> predicate.test(column.get(row)));
    }

    public static SelectionVector where(FloatColumn column, DoublePredicate predicate) {
        return scan(column, row -> predicate.test(column.get(row)));
    }

    public static SelectionVector where(StringColumn column, Predicate<String> predicate) {
        return scan(column, row -> predicate.test(column.get(row)));
    }

    /// Branch-free: writes every position and advances only past the kept ones, so that no branch is mispredicted.
    private static SelectionVector scan(Column column, IntPredicate test) {
        int rows = Math.toIntExact(column.length());
        int[] kept = new int[rows];
        int count = 0;
        if (!column.hasNulls()) {
            for (int row = 0; row < rows; row++) {
                kept[count] = row;
                count += test.test(row) ? 1 : 0;
            }
        } else {
            for (int row = 0; row < rows; row++) {
                kept[count] = row;
                count += !column.isNull(row) && test.test(row) ? 1 : 0;
            }
        }
        return count == rows ? all(rows) : of(kept, count);
    }

    /// The number of kept rows.
    public int count() {
        return count;
    }

    /// True when this keeps every row from 0 to [#count].
    public boolean isAll() {
        return positions == null;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /// The position of the `index`th kept row.
    public int position(int index) {
        return positions == null ? index : positions[index];
    }

    /// True when the kept rows are contiguous, so that a slice is enough.
    public boolean isRun() {
        return positions == null || count == 0 || positions[count - 1] - positions[0] == count - 1;
    }

    /// The kept positions in an array of which the first [#count] entries are valid. Read-only by contract.
    public int[] positions() {
        if (positions != null) {
            return positions;
        }
        int[] all = new int[count];
        for (int i = 0; i < count; i++) {
            all[i] = i;
        }
        return all;
    }

    /// At most the first `rows` of the kept rows.
    public SelectionVector limit(int rows) {
        return rows >= count ? this : new SelectionVector(positions, rows);
    }

    /// The composition: the rows kept here that `inner`, whose positions count the rows kept here, keeps too.
    public SelectionVector then(SelectionVector inner) {
        if (inner.isAll() && inner.count == count) {
            return this;
        }
        int[] both = new int[inner.count];
        for (int i = 0; i < both.length; i++) {
            both[i] = position(inner.position(i));
        }
        return of(both, both.length);
    }

    @Override
    public String toString() {
        return isAll() ? "all " + count + " rows" : count + " rows chosen";
    }
}

package dev.millrace.batch;

import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.wording.SimilarNames;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One row: named values in order. A row passed to a function is a view of a block, valid until the function returns
/// ([#copy] keeps it); a row created with [#of] is a value.
///
/// The typed getters widen (`getLong` reads every integer type, `getDouble` every number) and never narrow; a null, an
/// unknown column and a wrong type are errors that name the column. `get` returns the value as a Java object, see
/// [dev.millrace.column.Column#value].
public abstract class Row {
    Row() {}

    /// A row of one value.
    public static Row of(String name, @Nullable Object value) {
        return new ValueRow(new Object[] {name, value});
    }

    /// A row of two values.
    public static Row of(String name1, @Nullable Object value1, String name2, @Nullable Object value2) {
        return new ValueRow(new Object[] {name1, value1, name2, value2});
    }

    /// A row of three values.
    public static Row of(
            String name1,
            @Nullable Object value1,
            String name2,
            @Nullable Object value2,
            String name3,
            @Nullable Object value3) {
        return new ValueRow(new Object[] {name1, value1, name2, value2, name3, value3});
    }

    /// Alternating names and values.
    public static Row of(@Nullable Object... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw MillraceException.user(
                    "Row.of takes names and values by turns, not " + namesAndValues.length + " arguments.");
        }
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (!(namesAndValues[i] instanceof String)) {
                throw MillraceException.user("Row.of takes names and values by turns: argument " + (i + 1)
                        + " must be a name, not " + namesAndValues[i] + ".");
            }
        }
        return new ValueRow(namesAndValues);
    }

    /// The entries in the map's order.
    public static Row of(Map<String, ?> values) {
        Object[] pairs = new Object[2 * values.size()];
        int at = 0;
        for (Map.Entry<String, ?> entry : values.entrySet()) {
            pairs[at++] = Objects.requireNonNull(entry.getKey(), "a column without a name");
            pairs[at++] = entry.getValue();
        }
        return new ValueRow(pairs);
    }

    /// For rows of many values.
    public static Builder builder() {
        return new Builder();
    }

    /// Collects a row value by value.
    public static final class Builder {
        private Object[] pairs = new Object[16];
        private int size;

        Builder() {}

        /// Adds a value, or replaces the one of that name.
        public Builder set(String name, @Nullable Object value) {
            for (int i = 0; i < size; i += 2) {
                if (pairs[i].equals(name)) {
                    pairs[i + 1] = value;
                    return this;
                }
            }
            if (size == pairs.length) {
                pairs = Arrays.copyOf(pairs, 2 * size);
            }
            pairs[size++] = Objects.requireNonNull(name);
            pairs[size++] = value;
            return this;
        }

        /// The row; the builder may be used further.
        public Row build() {
            return new ValueRow(Arrays.copyOf(pairs, size));
        }
    }

    /// The number of columns.
    public abstract int size();

    /// The name of a column by position.
    public abstract String name(int position);

    /// The value of a column by position, as a Java object or null.
    public abstract @Nullable Object value(int position);

    /// The position of a column, or -1.
    public abstract int indexOf(String name);

    /// The value as a Java object, or null.
    public @Nullable Object get(String name) {
        return value(require(name));
    }

    /// The value as an object of that class, or null.
    public <T> @Nullable T get(String name, Class<T> type) {
        Object value = get(name);
        if (value != null && !type.isInstance(value)) {
            throw RowValues.wrongType(name, RowValues.describe(value), type.getSimpleName(), value);
        }
        return value == null ? null : type.cast(value);
    }

    /// An integer of any width; null is an error.
    public abstract long getLong(String name);

    /// An integer of up to 32 bits; null is an error.
    public abstract int getInt(String name);

    /// A number; null is an error.
    public abstract double getDouble(String name);

    /// A number of 32 bits or fewer; null is an error.
    public abstract float getFloat(String name);

    /// A boolean; null is an error.
    public abstract boolean getBoolean(String name);

    /// The text, or null.
    public abstract @Nullable String getString(String name);

    /// The bytes, or null.
    public byte @Nullable [] getBytes(String name) {
        return RowValues.toBytes(name, get(name));
    }

    /// The exact decimal, also of integers, or null.
    public @Nullable BigDecimal getDecimal(String name) {
        return RowValues.toDecimal(name, get(name));
    }

    /// The elements, or null.
    public @Nullable List<?> getList(String name) {
        return RowValues.toList(name, get(name));
    }

    /// A struct as a row of its own, or null.
    public @Nullable Row getRow(String name) {
        return RowValues.toRow(name, get(name));
    }

    /// A map; null for null.
    public @Nullable Map<?, ?> getMap(String name) {
        return RowValues.toMap(name, get(name));
    }

    /// A tensor; null for null.
    public @Nullable Tensor getTensor(String name) {
        return RowValues.toTensor(name, get(name));
    }

    /// A date; null for null.
    public @Nullable LocalDate getDate(String name) {
        return RowValues.toDate(name, get(name));
    }

    /// A time of day; null for null.
    public @Nullable LocalTime getTime(String name) {
        return RowValues.toTime(name, get(name));
    }

    /// A timestamp without a zone, or null.
    public @Nullable LocalDateTime getDateTime(String name) {
        return RowValues.toDateTime(name, get(name));
    }

    /// A timestamp with a zone, or null.
    public @Nullable Instant getInstant(String name) {
        return RowValues.toInstant(name, get(name));
    }

    /// A duration; null for null.
    public @Nullable Duration getDuration(String name) {
        return RowValues.toDuration(name, get(name));
    }

    /// Whether a column's value is null.
    public boolean isNull(String name) {
        return get(name) == null;
    }

    /// Whether there is a column of this name.
    public final boolean has(String name) {
        return indexOf(name) >= 0;
    }

    /// The names, in their order.
    public final List<String> columns() {
        String[] names = new String[size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = name(i);
        }
        return List.of(names);
    }

    /// The values by name, in order; a copy.
    public final Map<String, @Nullable Object> asMap() {
        Map<String, @Nullable Object> map = LinkedHashMap.newLinkedHashMap(size());
        for (int i = 0; i < size(); i++) {
            map.put(name(i), value(i));
        }
        return map;
    }

    /// This row as a value that does not depend on the block it came from.
    public Row copy() {
        return new ValueRow(pairs());
    }

    /// All values, this one replaced in place or added at the end.
    public final Row with(String name, @Nullable Object value) {
        int position = indexOf(name);
        Object[] pairs = pairs();
        if (position < 0) {
            pairs = Arrays.copyOf(pairs, pairs.length + 2);
            position = pairs.length / 2 - 1;
            pairs[2 * position] = Objects.requireNonNull(name);
        }
        pairs[2 * position + 1] = value;
        return new ValueRow(pairs);
    }

    /// Without a column.
    public final Row without(String name) {
        int position = require(name);
        Object[] pairs = pairs();
        Object[] fewer = Arrays.copyOf(pairs, pairs.length - 2);
        System.arraycopy(pairs, 2 * position + 2, fewer, 2 * position, fewer.length - 2 * position);
        return new ValueRow(fewer);
    }

    /// One column under another name, in its place.
    public final Row rename(String from, String to) {
        int position = require(from);
        if (has(to) && !from.equals(to)) {
            throw MillraceException.user("rename: there is a column '" + to + "' already, beside '" + from + "'.");
        }
        Object[] pairs = pairs();
        pairs[2 * position] = Objects.requireNonNull(to);
        return new ValueRow(pairs);
    }

    /// Alternating names and values, as a new array.
    Object[] pairs() {
        Object[] pairs = new Object[2 * size()];
        for (int i = 0; i < pairs.length; i += 2) {
            pairs[i] = name(i / 2);
            pairs[i + 1] = value(i / 2);
        }
        return pairs;
    }

    final int require(String name) {
        int position = indexOf(name);
        if (position < 0) {
            throw unknown(name);
        }
        return position;
    }

    MillraceException unknown(String name) {
        return MillraceException.user("There is no column '" + name + "' in this row."
                + SimilarNames.suggestion(name, columns()) + " The columns are " + columns() + ".");
    }

    /// Rows are equal when they have the same columns in the same order, with equal values (arrays by their elements).
    @Override
    public final boolean equals(@Nullable Object other) {
        if (!(other instanceof Row row) || row.size() != size()) {
            return false;
        }
        for (int i = 0; i < size(); i++) {
            if (!name(i).equals(row.name(i)) || !Objects.deepEquals(value(i), row.value(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public final int hashCode() {
        int hash = 1;
        for (int i = 0; i < size(); i++) {
            hash = 31 * hash + name(i).hashCode() + 17 * Arrays.deepHashCode(new Object[] {value(i)});
        }
        return hash;
    }

    /// `{id: 1, s: x}`
    @Override
    public final String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < size(); i++) {
            text.append(i == 0 ? "" : ", ").append(name(i)).append(": ").append(RowValues.show(value(i)));
        }
        return text.append('}').toString();
    }

    /// A row per position of some rows; the row moves on with the iteration.
    static Iterator<Row> over(RowCursor cursor, long rows) {
        return new Iterator<>() {
            private long at;

            @Override
            public boolean hasNext() {
                return at < rows;
            }

            @Override
            public Row next() {
                cursor.moveTo(at++);
                return cursor;
            }
        };
    }
}

package dev.millrace.batch;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// A row that holds its values, created by [Row#of]; immutable by contract, as far as its values are.
public final class ValueRow extends Row implements Serializable {
    private static final long serialVersionUID = 1L;

    /// Alternating names and values: exactly the arguments of `Row.of`, so that creating a row is one small allocation
    /// without lookups. Names are usually constants, so an identity comparison finds them.
    @SuppressWarnings("serial")
    private final Object[] pairs;

    ValueRow(Object[] pairs) {
        this.pairs = pairs;
    }

    /// Alternating names and values, read-only by contract: for code that decomposes whole rows.
    public Object[] namesAndValues() {
        return pairs;
    }

    @Override
    public int size() {
        return pairs.length >> 1;
    }

    @Override
    public String name(int position) {
        return (String) pairs[2 * position];
    }

    @Override
    public @Nullable Object value(int position) {
        return pairs[2 * position + 1];
    }

    @Override
    public int indexOf(String name) {
        int at = slot(name);
        return at < 0 ? -1 : at >> 1;
    }

    /// The position of the value in `pairs`, or -1.
    @SuppressWarnings("ReferenceEquality") // most names are the same string; the others are compared after it
    private int slot(String name) {
        Object[] all = pairs;
        for (int i = 0; i + 1 < all.length; i += 2) {
            if (all[i] == name) {
                return i + 1;
            }
        }
        for (int i = 0; i + 1 < all.length; i += 2) {
            if (all[i].equals(name)) {
                return i + 1;
            }
        }
        return -1;
    }

    private @Nullable Object at(String name) {
        int at = slot(name);
        if (at < 0) {
            throw unknown(name);
        }
        return pairs[at];
    }

    @Override
    public @Nullable Object get(String name) {
        return at(name);
    }

    @Override
    public long getLong(String name) {
        return at(name) instanceof Long value ? value : RowValues.toLong(name, at(name));
    }

    @Override
    public int getInt(String name) {
        return at(name) instanceof Integer value ? value : RowValues.toInt(name, at(name));
    }

    @Override
    public double getDouble(String name) {
        return at(name) instanceof Double value ? value : RowValues.toDouble(name, at(name));
    }

    @Override
    public float getFloat(String name) {
        return at(name) instanceof Float value ? value : RowValues.toFloat(name, at(name));
    }

    @Override
    public boolean getBoolean(String name) {
        return RowValues.toBoolean(name, at(name));
    }

    @Override
    public @Nullable String getString(String name) {
        return at(name) instanceof String value ? value : RowValues.toText(name, at(name));
    }

    @Override
    public Row copy() {
        return this;
    }

    @Override
    Object[] pairs() {
        return pairs.clone();
    }
}

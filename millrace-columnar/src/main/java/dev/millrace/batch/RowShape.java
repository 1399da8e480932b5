package dev.millrace.batch;

import dev.millrace.type.DataType;
import dev.millrace.type.Schema;

/// The names of a block's columns, for lookups that cost a nanosecond or two: callers mostly pass the same constant
/// string, so the first few names are compared by identity; the rest is hashed. Immutable.
final class RowShape {
    /// Has no columns: a cursor gets it after its end, so that every later lookup fails without an extra check.
    static final RowShape ENDED = new RowShape(new String[0], new byte[0]);

    static final byte OTHER = 0;
    static final byte INT64 = 1;
    static final byte FLOAT64 = 2;
    static final byte UTF8 = 3;

    private static final int LINEAR = 8;

    final String[] names;
    /// How each column is read, to avoid a type check of its class.
    final byte[] kinds;

    private final int[] table;
    private final int mask;

    private RowShape(String[] names, byte[] kinds) {
        this.names = names;
        this.kinds = kinds;
        int slots = Integer.highestOneBit(Math.max(1, names.length)) * 4;
        this.mask = slots - 1;
        this.table = new int[slots];
        for (int i = 0; i < names.length; i++) {
            int slot = names[i].hashCode() & mask;
            while (table[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            table[slot] = i + 1;
        }
    }

    static RowShape of(Schema schema) {
        String[] names = new String[schema.size()];
        byte[] kinds = new byte[names.length];
        for (int i = 0; i < names.length; i++) {
            // Interned, because string literals in programs are interned too.
            names[i] = schema.field(i).name().intern();
            DataType type = schema.field(i).type();
            kinds[i] = type.equals(DataType.INT64)
                    ? INT64
                    : type.equals(DataType.FLOAT64) ? FLOAT64 : type.equals(DataType.UTF8) ? UTF8 : OTHER;
        }
        return new RowShape(names, kinds);
    }

    /// The position of a name, or -1.
    @SuppressWarnings("ReferenceEquality") // most names are the same string; the others are looked up below
    int indexOf(String name) {
        String[] all = names;
        int first = Math.min(all.length, LINEAR);
        for (int i = 0; i < first; i++) {
            if (all[i] == name) {
                return i;
            }
        }
        int slot = name.hashCode() & mask;
        while (table[slot] != 0) {
            int at = table[slot] - 1;
            if (all[at].equals(name)) {
                return at;
            }
            slot = (slot + 1) & mask;
        }
        return -1;
    }
}

package dev.millrace.internal.expression;

/// An immutable hash set of longs: open addressing, at most half full.
final class LongLookup {
    private final long[] slots;
    private final int shift;
    private final boolean hasZero;

    LongLookup(long[] values) {
        int bits = Math.max(4, 65 - Long.numberOfLeadingZeros(values.length));
        slots = new long[1 << bits];
        shift = 64 - bits;
        boolean zero = false;
        for (long value : values) {
            zero |= value == 0;
            int at = slot(value);
            while (slots[at] != 0 && slots[at] != value) {
                at = at + 1 & slots.length - 1;
            }
            slots[at] = value;
        }
        hasZero = zero;
    }

    boolean contains(long value) {
        if (value == 0) {
            return hasZero;
        }
        int at = slot(value);
        while (slots[at] != 0) {
            if (slots[at] == value) {
                return true;
            }
            at = at + 1 & slots.length - 1;
        }
        return false;
    }

    private int slot(long value) {
        return (int) (value * 0x9E37_79B9_7F4A_7C15L >>> shift);
    }
}

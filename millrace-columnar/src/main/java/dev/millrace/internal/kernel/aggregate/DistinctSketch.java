package dev.millrace.internal.kernel.aggregate;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A HyperLogLog sketch of 64-bit hashes: 16,384 registers, each the longest run of leading zeros among the hashes
/// whose first 14 bits are its number. The count is Ertl's improved estimate (2017), which needs no correction tables.
///
/// Few hashes are kept individually, by their first 26 bits and the run of zeros after these, four bytes each: almost
/// exact. They become registers when these take less memory. One thread; reused with [#clear].
final class DistinctSketch {
    private static final int BITS = 14;
    static final int REGISTERS = 1 << BITS;
    private static final int FINE_BITS = 26;
    private static final int FINE_SHIFT = FINE_BITS - BITS;
    private static final int RUN_BITS = 6;
    private static final int MAX_FINE = REGISTERS / Integer.BYTES - 1;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Numbers of 26 bits with their runs in the 6 bits below; sorted and unique up to `sorted`.
    private final int[] fine = new int[2 * MAX_FINE];

    private int fineCount;
    private final byte[] registers = new byte[REGISTERS];
    private boolean dense;

    void clear() {
        fineCount = 0;
        if (dense) {
            Arrays.fill(registers, (byte) 0);
        }
        dense = false;
    }

    void add(long hash) {
        if (dense) {
            raise((int) (hash >>> -BITS), run(hash << BITS, Long.SIZE - BITS));
        } else {
            addFine((int) (hash >>> -FINE_BITS) << RUN_BITS | run(hash << FINE_BITS, Long.SIZE - FINE_BITS));
        }
    }

    /// Adds the first `count` of them.
    void add(long[] hashes, int count) {
        int at = 0;
        while (at < count && !dense) {
            add(hashes[at++]);
        }
        raise(registers, hashes, at, count);
    }

    private static void raise(byte[] registers, long[] hashes, int from, int end) {
        for (int i = from; i < end; i++) {
            long hash = hashes[i];
            int register = (int) (hash >>> -BITS);
            // The added bit ends the run if all others are zero.
            int run = Long.numberOfLeadingZeros(hash << BITS | 1L << BITS - 1) + 1;
            if (registers[register] < run) {
                registers[register] = (byte) run;
            }
        }
    }

    /// Leading zeros and the one after them, in the upper `bits`.
    private static int run(long upper, int bits) {
        return Math.min(Long.numberOfLeadingZeros(upper), bits) + 1;
    }

    private void addFine(int entry) {
        fine[fineCount++] = entry;
        if (fineCount == fine.length) {
            tidy();
        }
    }

    /// Sorts the hashes, keeps the longest run of each number, and converts to registers when there are too many.
    private void tidy() {
        Arrays.sort(fine, 0, fineCount);
        int kept = 0;
        for (int i = 0; i < fineCount; i++) {
            boolean last = i + 1 == fineCount || fine[i] >>> RUN_BITS != fine[i + 1] >>> RUN_BITS;
            if (last) {
                fine[kept++] = fine[i];
            }
        }
        fineCount = kept;
        if (kept > MAX_FINE) {
            dense = true;
            for (int i = 0; i < kept; i++) {
                raise(fine[i]);
            }
            fineCount = 0;
        }
    }

    private void raise(int entry) {
        int number = entry >>> RUN_BITS;
        int below = number << -FINE_SHIFT;
        int run = below != 0 ? Integer.numberOfLeadingZeros(below) + 1 : FINE_SHIFT + (entry & (1 << RUN_BITS) - 1);
        raise(number >>> FINE_SHIFT, run);
    }

    private void raise(int register, int run) {
        if (registers[register] < run) {
            registers[register] = (byte) run;
        }
    }

    /// Adds what another sketch wrote with [#write].
    void merge(MemorySegment bytes) {
        if (bytes.byteSize() == REGISTERS) {
            if (!dense) {
                dense = true;
                for (int i = 0; i < fineCount; i++) {
                    raise(fine[i]);
                }
                fineCount = 0;
            }
            for (int i = 0; i < REGISTERS; i++) {
                raise(i, bytes.get(ValueLayout.JAVA_BYTE, i));
            }
            return;
        }
        for (long at = 0; at < bytes.byteSize(); at += Integer.BYTES) {
            int entry = bytes.get(INT, at);
            if (dense) {
                raise(entry);
            } else {
                addFine(entry);
            }
        }
    }

    byte[] write() {
        if (!dense) {
            tidy();
        }
        if (dense) {
            return registers.clone();
        }
        byte[] bytes = new byte[fineCount * Integer.BYTES];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        for (int i = 0; i < fineCount; i++) {
            segment.set(INT, (long) i * Integer.BYTES, fine[i]);
        }
        return bytes;
    }

    long estimate() {
        if (!dense) {
            tidy();
        }
        if (!dense) {
            double cells = 1 << FINE_BITS;
            return Math.round(cells * Math.log(cells / (cells - fineCount)));
        }
        int longest = Long.SIZE - BITS + 1;
        int[] counts = new int[longest + 1];
        for (byte run : registers) {
            counts[run]++;
        }
        double sum = REGISTERS * tau(1 - counts[longest] / (double) REGISTERS);
        for (int run = longest - 1; run >= 1; run--) {
            sum = 0.5 * (sum + counts[run]);
        }
        sum += REGISTERS * sigma(counts[0] / (double) REGISTERS);
        return Math.round((double) REGISTERS * REGISTERS / (2 * Math.log(2) * sum));
    }

    /// x + the sum of x^(2^k) 2^(k-1) over all k from 1.
    private static double sigma(double part) {
        if (part == 1) {
            return Double.POSITIVE_INFINITY;
        }
        double x = part;
        double y = 1;
        double sum = part;
        double before;
        do {
            x *= x;
            before = sum;
            sum += x * y;
            y += y;
        } while (before != sum);
        return sum;
    }

    /// A third of: 1 - x - the sum of (1 - x^(2^-k))^2 2^-k over all k from 1.
    private static double tau(double part) {
        if (part == 0 || part == 1) {
            return 0;
        }
        double x = part;
        double y = 1;
        double sum = 1 - part;
        double before;
        do {
            x = Math.sqrt(x);
            before = sum;
            y *= 0.5;
            sum -= (1 - x) * (1 - x) * y;
        } while (before != sum);
        return sum / 3;
    }
}

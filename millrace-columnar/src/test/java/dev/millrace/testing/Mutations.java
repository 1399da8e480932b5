package dev.millrace.testing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Damages bytes as disks, networks and half-finished writers do, and as somebody who wants to do harm would: flipped
/// bits, changed bytes, cuts, holes, doubled and foreign pieces, numbers at their limits. The same seed gives the same
/// damage.
public final class Mutations {
    private static final long[] LIMITS = {
        0,
        1,
        -1,
        2,
        127,
        128,
        255,
        256,
        Short.MAX_VALUE,
        65_535,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        1L << 32,
        1L << 40,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private final Random random;

    public Mutations(long seed) {
        this.random = new Random(seed);
    }

    /// A damaged copy, with one to three damages; another file's bytes may be spliced in.
    public byte[] damage(byte[] original, byte[] other) {
        byte[] bytes = original.clone();
        for (int n = 1 + Math.max(0, random.nextInt(5) - 2); n > 0 && bytes.length > 0; n--) {
            bytes = once(bytes, other);
        }
        return bytes;
    }

    public byte[] damage(byte[] original) {
        return damage(original, original);
    }

    /// One of several, by chance.
    public <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /// A number from 0 on, by chance.
    public int below(int bound) {
        return random.nextInt(bound);
    }

    private byte[] once(byte[] bytes, byte[] other) {
        int at = position(bytes.length);
        int length = Math.min(bytes.length - at, 1 + size());
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> {
                bytes[at] ^= (byte) (1 << random.nextInt(8));
                yield bytes;
            }
            case 3, 4 -> {
                for (int i = 0; i < 1 + random.nextInt(4); i++) {
                    bytes[position(bytes.length)] = (byte) random.nextInt();
                }
                yield bytes;
            }
            case 5, 6 -> number(bytes, at);
            case 7 -> Arrays.copyOf(bytes, at);
            case 8 -> {
                Arrays.fill(bytes, at, at + length, (byte) (random.nextBoolean() ? 0 : 0xFF));
                yield bytes;
            }
            case 9 -> joined(bytes, at, new byte[0], 0, 0, at + length);
            case 10 -> joined(bytes, at, bytes, at, length, at);
            default -> {
                int from = position(Math.max(1, other.length));
                int count = Math.min(other.length - from, 1 + size());
                yield joined(bytes, at, other, from, Math.max(0, count), random.nextBoolean() ? at : at + length);
            }
        };
    }

    /// Metadata stands at the beginning and the end of most files: there damage is more frequent.
    private int position(int length) {
        int near = Math.min(length, 200);
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(near);
            case 1 -> length - 1 - random.nextInt(near);
            default -> random.nextInt(length);
        };
    }

    private int size() {
        return 1 << random.nextInt(12);
    }

    /// A number at its limit, in one of the forms that files have.
    private byte[] number(byte[] bytes, int at) {
        long value = LIMITS[random.nextInt(LIMITS.length)] + random.nextInt(3) - 1;
        ByteBuffer form = ByteBuffer.allocate(10);
        switch (random.nextInt(4)) {
            case 0 -> form.order(ByteOrder.LITTLE_ENDIAN).putInt((int) value);
            case 1 -> form.order(ByteOrder.BIG_ENDIAN).putInt((int) value);
            case 2 -> form.order(ByteOrder.LITTLE_ENDIAN).putLong(value);
            default -> {
                long rest = value;
                while ((rest & ~0x7FL) != 0) {
                    form.put((byte) (rest | 0x80));
                    rest >>>= 7;
                }
                form.put((byte) rest);
            }
        }
        int length = Math.min(form.position(), bytes.length - at);
        System.arraycopy(form.array(), 0, bytes, at, length);
        return bytes;
    }

    /// The bytes before `at`, a piece of others, and the bytes from `rest` on.
    private static byte[] joined(byte[] bytes, int at, byte[] piece, int from, int count, int rest) {
        byte[] all = new byte[at + count + bytes.length - rest];
        System.arraycopy(bytes, 0, all, 0, at);
        System.arraycopy(piece, from, all, at, count);
        System.arraycopy(bytes, rest, all, at + count, bytes.length - rest);
        return all;
    }
}

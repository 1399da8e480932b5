package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bounds of byte strings, compared as unsigned bytes or, for decimals, as big-endian numbers of one length. Only the
/// first 64 bytes of strings are kept: bounds of longer ones are truncated, an upper bound is then incremented.
public final class BytesRange implements ValueRange {
    /// The kind of strings, which determines their order.
    public enum Order {
        TEXT,
        BINARY,
        DECIMAL
    }

    private static final int KEPT = 64;

    private final Order order;
    private final byte[] min = new byte[KEPT];
    private final byte[] max = new byte[KEPT];
    private int minLength;
    private int maxLength;
    private long minPrefix;
    private long maxPrefix;
    /// Whether the bound was truncated.
    private boolean minCut;

    private boolean maxCut;
    private boolean empty = true;

    public BytesRange(Order order) {
        this.order = order;
    }

    public void add(BytesBatch batch) {
        MemorySegment data = batch.data;
        long flip = order == Order.DECIMAL ? 0 : Long.MIN_VALUE;
        for (int i = 0; i < batch.count; i++) {
            // As a signed number the prefix has the same order as the strings.
            long prefix = ByteStrings.prefix(data, batch.starts[i], batch.lengths[i]) ^ flip;
            if (empty || prefix <= minPrefix || prefix >= maxPrefix) {
                add(data, batch.starts[i], batch.lengths[i], prefix);
            }
        }
    }

    private void add(MemorySegment data, long from, int length, long prefix) {
        int kept = Math.min(length, KEPT);
        boolean cut = length > KEPT;
        boolean first = empty;
        empty = false;
        int toMin = first
                ? -1
                : prefix != minPrefix ? Long.compare(prefix, minPrefix) : compare(data, from, kept, min, minLength);
        if (toMin < 0) {
            MemorySegment.copy(data, JAVA_BYTE, from, min, 0, kept);
            minLength = kept;
            minPrefix = prefix;
            minCut = cut;
        } else if (toMin == 0) {
            minCut &= cut;
        }
        int toMax = first
                ? 1
                : prefix != maxPrefix ? Long.compare(prefix, maxPrefix) : compare(data, from, kept, max, maxLength);
        if (toMax > 0) {
            MemorySegment.copy(data, JAVA_BYTE, from, max, 0, kept);
            maxLength = kept;
            maxPrefix = prefix;
            maxCut = cut;
        } else if (toMax == 0) {
            maxCut |= cut;
        }
    }

    /// Compares two strings with equal first eight bytes (padded with zeros).
    private static int compare(MemorySegment data, long from, int length, byte[] other, int otherLength) {
        int both = Math.min(length, otherLength);
        for (int i = 0; i < both; i++) {
            int difference = (data.get(JAVA_BYTE, from + i) & 0xFF) - (other[i] & 0xFF);
            if (difference != 0) {
                return difference;
            }
        }
        return length - otherLength;
    }

    @Override
    public void add(ValueRange other) {
        BytesRange range = (BytesRange) other;
        if (range.empty) {
            return;
        }
        boolean first = empty;
        empty = false;
        int toMin = first ? -1 : order(range.min, range.minLength, min, minLength);
        if (toMin < 0) {
            System.arraycopy(range.min, 0, min, 0, range.minLength);
            minLength = range.minLength;
            minPrefix = range.minPrefix;
            minCut = range.minCut;
        } else if (toMin == 0) {
            minCut &= range.minCut;
        }
        int toMax = first ? 1 : order(range.max, range.maxLength, max, maxLength);
        if (toMax > 0) {
            System.arraycopy(range.max, 0, max, 0, range.maxLength);
            maxLength = range.maxLength;
            maxPrefix = range.maxPrefix;
            maxCut = range.maxCut;
        } else if (toMax == 0) {
            maxCut |= range.maxCut;
        }
    }

    private int order(byte[] a, int aLength, byte[] b, int bLength) {
        if (order == Order.DECIMAL && a[0] >= 0 != b[0] >= 0) {
            return a[0] >= 0 ? 1 : -1;
        }
        return Arrays.compareUnsigned(a, 0, aLength, b, 0, bLength);
    }

    @Override
    public boolean isEmpty() {
        return empty;
    }

    @Override
    public byte[] min() {
        return Arrays.copyOf(min, minCut && order == Order.TEXT ? wholeCharacters(min, minLength) : minLength);
    }

    @Override
    public byte @Nullable [] max() {
        if (!maxCut) {
            return Arrays.copyOf(max, maxLength);
        }
        return order == Order.TEXT
                ? nextText(Arrays.copyOf(max, wholeCharacters(max, maxLength)))
                : nextBytes(Arrays.copyOf(max, maxLength));
    }

    /// The length of the complete UTF-8 characters; all bytes if they are not UTF-8.
    private static int wholeCharacters(byte[] bytes, int length) {
        int start = length - 1;
        while (start > 0 && start > length - 4 && (bytes[start] & 0xC0) == 0x80) {
            start--;
        }
        int lead = bytes[start] & 0xFF;
        int wanted = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
        return start + wanted <= length || start == 0 ? length : start;
    }

    /// The smallest byte string above all those with this prefix, or null.
    private static byte @Nullable [] nextBytes(byte[] prefix) {
        int last = prefix.length - 1;
        while (last >= 0 && prefix[last] == (byte) 0xFF) {
            last--;
        }
        if (last < 0) {
            return null;
        }
        byte[] next = Arrays.copyOf(prefix, last + 1);
        next[last]++;
        return next;
    }

    /// A text above all those with this prefix: increments the last character that can be incremented. Null if there is
    /// none.
    private static byte @Nullable [] nextText(byte[] prefix) {
        String text = new String(prefix, java.nio.charset.StandardCharsets.UTF_8);
        int end = text.length();
        while (end > 0) {
            int character = text.codePointBefore(end);
            int start = end - Character.charCount(character);
            int next = character == 0xD7FF ? 0xE000 : character + 1;
            if (character < Character.MAX_CODE_POINT) {
                return (text.substring(0, start) + Character.toString(next))
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8);
            }
            end = start;
        }
        return null;
    }

    @Override
    public boolean isMinExact() {
        return !minCut;
    }

    @Override
    public boolean isMaxExact() {
        return !maxCut;
    }

    @Override
    public void clear() {
        empty = true;
    }

    @Override
    public int compare(byte[] a, byte[] b) {
        return order(a, a.length, b, b.length);
    }
}

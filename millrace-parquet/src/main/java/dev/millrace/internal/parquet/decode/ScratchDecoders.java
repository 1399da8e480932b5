package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;

/// Decoders that use intermediate memory: conversions, and byte strings that become fixed-width values. They are rare;
/// [PlainFixed] and dictionaries do the common conversions.
final class ScratchDecoders {
    private static final int AT_ONCE = 512;

    private ScratchDecoders() {}

    /// Converts the values of another decoder.
    static final class Converted extends FixedDecoder {
        private final FixedDecoder stored;
        private final ValueConversion conversion;
        private final int width;
        private final MemorySegment scratch;
        private final int atOnce;
        private final int storedWidth;

        /// @param scratch with room for at least a few stored values
        Converted(FixedDecoder stored, int storedWidth, ValueConversion conversion, int width, MemorySegment scratch) {
            this.stored = stored;
            this.storedWidth = storedWidth;
            this.conversion = conversion;
            this.width = width;
            this.scratch = scratch;
            this.atOnce = (int) Math.min(AT_ONCE, scratch.byteSize() / storedWidth);
        }

        @Override
        public void read(MemorySegment target, long at, int count) {
            if (atOnce == 0) {
                throw new MalformedParquet("values of " + storedWidth + " bytes are too large to be numbers");
            }
            for (int done = 0; done < count; done += atOnce) {
                int n = Math.min(atOnce, count - done);
                stored.read(scratch, 0, n);
                conversion.convert(scratch, 0, target, at + (long) done * width, n);
            }
        }

        @Override
        public int width() {
            return width;
        }

        @Override
        public void skip(int count) {
            stored.skip(count);
        }
    }

    /// Decodes byte strings that are decimals, or that all have the same length.
    static final class FromBytes extends FixedDecoder {
        private final BytesDecoder stored;
        private final BytesSink scratch;
        private final boolean decimal;
        private final int width;

        /// @param decimal true if they become decimals, false if they have `width` bytes each
        FromBytes(BytesDecoder stored, BytesSink scratch, boolean decimal, int width) {
            this.stored = stored;
            this.scratch = scratch;
            this.decimal = decimal;
            this.width = width;
        }

        @Override
        public void read(MemorySegment target, long at, int count) {
            for (int done = 0; done < count; done += AT_ONCE) {
                int n = Math.min(AT_ONCE, count - done);
                scratch.begin(n, 16L * n);
                stored.read(scratch, n);
                write(target, at + (long) done * width, n);
                scratch.close();
            }
        }

        private void write(MemorySegment target, long at, int count) {
            MemorySegment offsets = scratch.offsets();
            for (int i = 0; i < count; i++) {
                int start = offsets.getAtIndex(JAVA_INT, i);
                int length = offsets.getAtIndex(JAVA_INT, i + 1L) - start;
                if (decimal) {
                    ValueConversion.decimal(scratch.data(), start, length, target, at + 16L * i);
                } else if (length == width) {
                    MemorySegment.copy(scratch.data(), start, target, at + (long) i * width, width);
                } else {
                    throw new MalformedParquet("a value has " + length + " bytes, not " + width);
                }
            }
        }

        @Override
        public int width() {
            return width;
        }

        @Override
        public void skip(int count) {
            stored.skip(count);
        }
    }
}

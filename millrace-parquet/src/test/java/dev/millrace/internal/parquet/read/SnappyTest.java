package dev.millrace.internal.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.parquet.decode.Padding;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SnappyTest {
    private static byte[] roundTrip(byte[] bytes) {
        SnappyJavaCompressor compressor = new SnappyJavaCompressor();
        byte[] packed = new byte[compressor.maxCompressedLength(bytes.length)];
        int size = compressor.compress(bytes, 0, bytes.length, packed, 0, packed.length);
        try (Arena arena = Arena.ofConfined()) {
            // Neither side begins where its memory does.
            MemorySegment source = arena.allocate(3 + size + Padding.BYTES);
            MemorySegment target = arena.allocate(5 + bytes.length + Padding.BYTES);
            target.fill((byte) 0x5A);
            MemorySegment.copy(packed, 0, source, ValueLayout.JAVA_BYTE, 3, size);
            Snappy.decompress(source, 3, 3 + size, target, 5, bytes.length);
            return target.asSlice(5, bytes.length).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /// Numbers of all widths, sorted or not, big and little end first, and runs.
    @Test
    void whatAnotherProgramPackedComesBack() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 4_000; i++) {
            byte[] bytes = sample(random);
            assertThat(roundTrip(bytes)).as("seed %d, case %d", seed, i).isEqualTo(bytes);
        }
    }

    private static byte[] sample(Random random) {
        int values = random.nextInt(1, 400);
        int width = new int[] {1, 2, 3, 4, 7, 8, 8, 8, 9, 12, 16}[random.nextInt(11)];
        ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        byte[] bytes = new byte[values * width];
        long range = 1L << random.nextInt(1, 60);
        long number = 0;
        boolean sorted = random.nextBoolean();
        for (int i = 0; i < values; i++) {
            number = sorted ? number + random.nextLong(range) / 1000 : random.nextLong(range);
            boolean big = order == ByteOrder.BIG_ENDIAN;
            byte[] whole = ByteBuffer.allocate(16)
                    .order(order)
                    .putLong(big ? 8 : 0, number)
                    .array();
            System.arraycopy(whole, big ? 16 - width : 0, bytes, i * width, width);
        }
        if (random.nextInt(4) == 0) {
            Arrays.fill(bytes, random.nextInt(bytes.length), bytes.length, (byte) random.nextInt(3));
        }
        return bytes;
    }
}

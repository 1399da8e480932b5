package dev.millrace.internal.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.internal.parquet.decode.WordPadding;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.testing.Seeds;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SnappyBlocksTest {
    private static byte[] pack(byte[] bytes) {
        SnappyJavaCompressor compressor = new SnappyJavaCompressor();
        byte[] packed = new byte[compressor.maxCompressedLength(bytes.length)];
        return Arrays.copyOf(packed, compressor.compress(bytes, 0, bytes.length, packed, 0, packed.length));
    }

    private static byte[] unpack(byte[] packed, int length) {
        try (Arena arena = Arena.ofConfined()) {
            // The block does not begin where its memory does.
            MemorySegment source = arena.allocate(3 + packed.length + WordPadding.BYTES);
            source.fill((byte) 0x5A);
            MemorySegment.copy(packed, 0, source, ValueLayout.JAVA_BYTE, 3, packed.length);
            byte[] plain = new byte[length + WordPadding.BYTES];
            SnappyBlocks.decompress(source, 3, 3 + packed.length, plain, length);
            return Arrays.copyOf(plain, length);
        }
    }

    /// Numbers of all widths, sorted or not, big and little end first, and runs.
    @Test
    void whatAnotherProgramPackedComesBack() {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int i = 0; i < 4_000; i++) {
            byte[] bytes = sample(random);
            assertThat(unpack(pack(bytes), bytes.length))
                    .as("seed %d, case %d", seed, i)
                    .isEqualTo(bytes);
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

    /// Bytes of a block changed, left out or added: the result is an error of the page or as many bytes as asked for.
    @Test
    void damagedBlocksAreErrorsOfThePage() {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        int errors = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = sample(random);
            byte[] packed = pack(bytes);
            for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
                packed[random.nextInt(packed.length)] = (byte) random.nextInt(256);
            }
            packed = Arrays.copyOf(packed, packed.length + random.nextInt(-Math.min(3, packed.length), 3));
            try {
                assertThat(unpack(packed, bytes.length)).hasSize(bytes.length);
            } catch (MalformedParquet e) {
                errors++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", case " + i, e);
            }
        }
        assertThat(errors).isGreaterThan(5_000);
    }

    /// Every form a writer may choose: literals with lengths of one to four bytes, copies with distances of one, two
    /// and four bytes, near, far and overlapping.
    @Test
    void everyFormOfElementIsRead() {
        byte[] packed = HexFormat.of()
                .parseHex("18" + "0c" + "41424344" + "f001" + "4546" + "f40100" + "4748" + "f8010000" + "494a"
                        + "fc01000000" + "4b4c" + "010c" + "0e0100" + "0f0c000000");
        assertThat(new String(unpack(packed, 24), StandardCharsets.US_ASCII))
                .isEqualTo("ABCDEFGHIJKL" + "ABCD" + "DDDD" + "IJKL");
    }

    @Test
    void distancesBeyondTheBeginningAndOfZeroAreErrors() {
        for (String copy : List.of("0105", "0e0500", "0f05000000", "0100", "0e0000", "0f00000000", "0fffffffff")) {
            byte[] packed = HexFormat.of().parseHex("08" + "0c41424344" + copy);
            assertThatThrownBy(() -> unpack(packed, 8)).as(copy).isInstanceOf(MalformedParquet.class);
        }
    }
}

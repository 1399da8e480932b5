package dev.millrace.internal.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.airlift.compress.v3.lz4.Lz4FrameDecompressor;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Lz4FrameTest {
    /// Bytes that repeat now and then, as columns do.
    private static byte[] plain(int length, long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[length];
        int variety = 1 + random.nextInt(255);
        for (int at = 0; at < length; ) {
            int run = Math.min(length - at, 1 + random.nextInt(40));
            if (at > 100 && random.nextBoolean()) {
                System.arraycopy(bytes, at - 1 - random.nextInt(100), bytes, at, Math.min(run, 1));
                int distance = 1 + random.nextInt(100);
                for (int i = 0; i < run; i++) {
                    bytes[at + i] = bytes[at + i - distance];
                }
            } else {
                for (int i = 0; i < run; i++) {
                    bytes[at + i] = (byte) random.nextInt(variety);
                }
            }
            at += run;
        }
        return bytes;
    }

    private static byte[] encode(byte[] plain) {
        MemorySegment out = MemorySegment.ofArray(new byte[(int) Lz4Frame.maxEncoded(plain.length)]);
        long length = new Lz4Frame().encode(MemorySegment.ofArray(plain), out);
        return out.asSlice(0, length).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 12, 13, 16, 17, 100, 1_000, 65_536, 1_048_576, 1_048_577, 3_000_000})
    void whatIsEncodedDecodesHereAndElsewhere(int length) {
        for (int seed = 0; seed < 10; seed++) {
            byte[] plain = plain(length, seed);
            byte[] encoded = encode(plain);
            byte[] decoded = new byte[length];
            assertThat(new Lz4Frame().decode(MemorySegment.ofArray(encoded), MemorySegment.ofArray(decoded)))
                    .isEqualTo(length);
            assertThat(decoded).isEqualTo(plain);
            byte[] elsewhere = new byte[length];
            Lz4FrameDecompressor.create().decompress(encoded, 0, encoded.length, elsewhere, 0, length);
            assertThat(elsewhere).isEqualTo(plain);
        }
    }

    @Test
    void randomBytesAreStoredAndGrowByLittle() {
        byte[] plain = new byte[2_000_000];
        new Random(1).nextBytes(plain);
        assertThat(encode(plain).length).isLessThan(plain.length + 100);
    }

    @Test
    void corruptFramesAreRefusedOrDecodeToSomething() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] encoded = encode(plain(random.nextInt(400), i));
            for (int change = random.nextInt(3); change >= 0; change--) {
                encoded[random.nextInt(encoded.length)] = (byte) random.nextInt();
            }
            byte[] out = new byte[random.nextInt(500)];
            assertThat(new Lz4Frame().decode(MemorySegment.ofArray(encoded), MemorySegment.ofArray(out)))
                    .isBetween(-1L, (long) out.length);
        }
    }
}

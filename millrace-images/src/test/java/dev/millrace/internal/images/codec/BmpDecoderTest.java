package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// BMP files that no program at hand writes; what PIL reads is compared with it in PilImagesTest.
class BmpDecoderTest {
    /// One row of pixels.
    private static MemorySegment file(int header, int bits, int compression, int[] masks, int width, byte[] row) {
        ByteBuffer file = ByteBuffer.allocate(14 + Math.max(header, 40) + 16 + row.length + 3)
                .order(ByteOrder.LITTLE_ENDIAN);
        file.putShort((short) 0x4D42).putInt(0).putInt(0).putInt(0);
        file.putInt(header).putInt(width).putInt(1).putShort((short) 1).putShort((short) bits);
        file.putInt(compression)
                .putInt(row.length)
                .putInt(0)
                .putInt(0)
                .putInt(0)
                .putInt(0);
        for (int mask : masks) {
            file.putInt(mask);
        }
        file.position(Math.max(file.position(), 14 + header));
        file.putInt(10, file.position());
        file.put(row);
        // Rows end at a multiple of four bytes.
        file.put(new byte[-row.length & 3]);
        return MemorySegment.ofArray(file.array()).asSlice(0, file.position());
    }

    private static int[] decode(MemorySegment file) throws BadImage {
        ImageHeader header = ImageHeader.of(file);
        MemorySegment pixels = MemorySegment.ofArray(new byte[(int) header.pixels() * header.channels()]);
        BmpDecoder.decode(file, header.channels(), pixels);
        byte[] bytes = pixels.toArray(JAVA_BYTE);
        int[] values = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            values[i] = bytes[i] & 0xFF;
        }
        return values;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @Test
    void anyMasksThatAreRunsOfBitsAreColours() throws BadImage {
        int[] fourEach = {0x0F00, 0x00F0, 0x000F, 0xF000};
        assertThat(decode(file(56, 16, 3, fourEach, 2, bytes(0x21, 0xF3, 0xFF, 0x00))))
                .containsExactly(3 * 17, 2 * 17, 17, 255, 0, 255, 255, 0);
        int[] tenEach = {0x3FF00000, 0xFFC00, 0x3FF, 0};
        assertThat(decode(file(56, 32, 3, tenEach, 1, bytes(0xFF, 0x03, 0x08, 0x20))))
                .containsExactly(0x200 >> 2, 0x200 >> 2, 255);
        int[] onlyGreen = {0, 0xFF, 0};
        assertThat(decode(file(40, 32, 3, onlyGreen, 1, bytes(7, 1, 1, 1)))).containsExactly(0, 7, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "20, 24, 0, a header of 20 bytes",
        "40, 2, 0, '2 bits a pixel, compression 0'",
        "40, 24, 5, '24 bits a pixel, compression 5'",
        "40, 8, 3, '8 bits a pixel, compression 3'",
        "64, 16, 3, '16 bits a pixel, compression 3'"
    })
    void unknownKindsAreRefused(int header, int bits, int compression, String said) {
        assertThatThrownBy(() -> decode(file(header, bits, compression, new int[0], 1, new byte[8])))
                .isInstanceOf(BadImage.class)
                .hasMessageContaining(said);
    }

    @Test
    void masksThatOverlapOrHaveGapsAreRefused() {
        assertThatThrownBy(() -> decode(file(40, 32, 3, new int[] {0xFF, 0x1FF00, 0x10000}, 1, new byte[4])))
                .hasMessageContaining("no separate runs of bits: ff, 1ff00, 10000");
        assertThatThrownBy(() -> decode(file(40, 16, 3, new int[] {0xF0F, 0xF0, 0xF000}, 1, new byte[4])))
                .hasMessageContaining("no separate runs of bits");
        assertThatThrownBy(() -> decode(file(40, 24, 3, new int[] {0xFF, 0xFF00, 0xFF0000}, 1, new byte[4])))
                .hasMessageContaining("other than three bytes");
    }

    @Test
    void aFileThatEndsTooEarlyIsToldWhere() {
        MemorySegment whole = file(40, 24, 0, new int[0], 3, new byte[12]);
        assertThatThrownBy(() -> decode(whole.asSlice(0, whole.byteSize() - 5)))
                .isInstanceOf(BadImage.class)
                .hasMessage("is a BMP image that is cut off at byte " + (whole.byteSize() - 5));
    }
}

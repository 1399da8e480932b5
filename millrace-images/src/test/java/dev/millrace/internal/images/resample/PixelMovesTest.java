package dev.millrace.internal.images.resample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PixelMovesTest {
    private static final int WIDTH = 13;
    private static final int HEIGHT = 7;

    private static PixelImage random(int channels) {
        byte[] bytes = new byte[WIDTH * HEIGHT * channels];
        new Random(channels).nextBytes(bytes);
        return PixelImage.dense(MemorySegment.ofArray(bytes), WIDTH, HEIGHT, channels);
    }

    private static PixelImage empty(int width, int height, int channels) {
        return PixelImage.dense(MemorySegment.ofArray(new byte[width * height * channels]), width, height, channels);
    }

    private static byte[] pixel(PixelImage image, int x, int y) {
        return image.segment().asSlice(image.at(x, y), image.channels()).toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void flippingMovesEveryPixelToTheOtherSide(int channels) {
        PixelImage image = random(channels);
        PixelImage mirrored = empty(WIDTH, HEIGHT, channels);
        PixelImage upsideDown = empty(WIDTH, HEIGHT, channels);
        PixelMoves.flipHorizontally(image, mirrored);
        PixelMoves.flipVertically(image, upsideDown);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                assertThat(pixel(mirrored, WIDTH - 1 - x, y)).isEqualTo(pixel(image, x, y));
                assertThat(pixel(upsideDown, x, HEIGHT - 1 - y)).isEqualTo(pixel(image, x, y));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void aCropIsAWindowOfTheImage(int channels) {
        PixelImage image = random(channels);
        PixelImage crop = empty(4, 3, channels);
        PixelMoves.crop(image, ImageWindow.centre(WIDTH, HEIGHT, 4, 3), crop);
        for (int y = 0; y < 3; y++) {
            for (int x = 0; x < 4; x++) {
                assertThat(pixel(crop, x, y)).isEqualTo(pixel(image, x + 4, y + 2));
            }
        }
        assertThatThrownBy(() -> PixelMoves.crop(image, new ImageWindow(10, 0, 4, 3), crop))
                .hasMessage("A window of 4 x 3 pixels at (10, 0) does not lie in an image of 13 x 7 pixels.");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void planesAreNormalisedPixelsChannelByChannel(int channels) {
        PixelImage image = random(channels);
        double[] mean = {0.1, 0.2, 0.3};
        double[] std = {0.5, 0.25, 2};
        float[] whole = new float[3 * WIDTH * HEIGHT];
        short[] halves = new short[whole.length];
        PixelPlanes.normalised(mean, std, false).write(image, MemorySegment.ofArray(whole));
        PixelPlanes.normalised(mean, std, true).write(image, MemorySegment.ofArray(halves));
        for (int plane = 0; plane < 3; plane++) {
            for (int i = 0; i < WIDTH * HEIGHT; i++) {
                int channel = channels == 1 ? 0 : plane;
                int value = image.segment().get(ValueLayout.JAVA_BYTE, (long) i * channels + channel) & 255;
                float expected = (float) ((value / 255.0 - mean[plane]) / std[plane]);
                int at = plane * WIDTH * HEIGHT + i;
                assertThat(whole[at]).isCloseTo(expected, offset(1e-6f));
                assertThat(halves[at]).isEqualTo(Float.floatToFloat16(whole[at]));
            }
        }
    }
}

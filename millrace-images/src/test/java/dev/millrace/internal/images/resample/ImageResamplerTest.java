package dev.millrace.internal.images.resample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.images.options.Interpolation;
import dev.millrace.testing.Python;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ImageResamplerTest {
    private static final int CASES = 180;
    private static final long SEED = 20_261_115;

    @TempDir
    static Path folder;

    private static List<Case> cases;

    /// An image and what Pillow made of it.
    record Case(String name, PixelImage given, int width, int height, Interpolation filter, byte[] resized) {
        static Case of(Path file) {
            String name = file.getFileName().toString().replace(".given", "");
            String[] parts = name.split("_");
            int[] numbers =
                    Arrays.stream(parts, 1, 6).mapToInt(Integer::parseInt).toArray();
            try {
                MemorySegment given = MemorySegment.ofArray(Files.readAllBytes(file));
                return new Case(
                        name,
                        PixelImage.dense(given, numbers[0], numbers[1], numbers[2]),
                        numbers[3],
                        numbers[4],
                        Interpolation.valueOf(parts[6]),
                        Files.readAllBytes(file.resolveSibling(name + ".resized")));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /// The pixels of a window of Pillow's image.
        byte[] cut(ImageWindow window) {
            int channels = given.channels();
            byte[] cut = new byte[window.width() * window.height() * channels];
            for (int y = 0; y < window.height(); y++) {
                int from = ((window.y() + y) * width + window.x()) * channels;
                System.arraycopy(resized, from, cut, y * window.width() * channels, window.width() * channels);
            }
            return cut;
        }

        byte[] resizedByUs(ImageWindow window) {
            byte[] result = new byte[window.width() * window.height() * given.channels()];
            MemorySegment target = MemorySegment.ofArray(result);
            try (ImageResampler resampler = ImageResampler.take()) {
                resampler.resize(
                        given,
                        width,
                        height,
                        window,
                        filter,
                        PixelImage.dense(target, window.width(), window.height(), given.channels()));
            }
            return result;
        }
    }

    @BeforeAll
    static void resizeByPillow() throws IOException {
        Python.environment("images")
                .run(
                        ImageResamplerTest.class,
                        "resize.py",
                        folder.toString(),
                        String.valueOf(SEED),
                        String.valueOf(CASES));
        try (Stream<Path> files = Files.list(folder)) {
            cases = files.filter(file -> file.toString().endsWith(".given"))
                    .sorted()
                    .map(Case::of)
                    .toList();
        }
        assertThat(cases).hasSize(CASES);
    }

    @Test
    void everyPixelIsPillows() {
        for (Case each : cases) {
            byte[] ours = each.resizedByUs(new ImageWindow(0, 0, each.width(), each.height()));
            assertThat(ours).as(each.name()).isEqualTo(each.resized());
        }
    }

    @Test
    void aWindowHasThePixelsOfTheWholeImage() {
        Random random = new Random(SEED);
        for (Case each : cases) {
            int x = random.nextInt(each.width());
            int y = random.nextInt(each.height());
            ImageWindow window =
                    new ImageWindow(x, y, 1 + random.nextInt(each.width() - x), 1 + random.nextInt(each.height() - y));
            assertThat(each.resizedByUs(window)).as(each.name() + " " + window).isEqualTo(each.cut(window));
        }
    }

    @Test
    void rowsMayHaveGapsOnBothSides() {
        Case each = cases.stream()
                .filter(one -> one.given().channels() == 3 && one.filter() == Interpolation.BILINEAR)
                .findFirst()
                .orElseThrow();
        PixelImage given = each.given();
        long stride = given.rowBytes() + 5;
        try (Arena arena = Arena.ofConfined()) {
            // Not a byte behind the last pixel: reading there would fail.
            MemorySegment spread = arena.allocate(stride * (given.height() - 1) + given.rowBytes());
            PixelImage image = new PixelImage(spread, given.width(), given.height(), 3, stride);
            PixelMoves.copy(given, image);
            long targetStride = each.width() * 3L + 2;
            MemorySegment target = arena.allocate(targetStride * each.height() - 2);
            target.fill((byte) 77);
            try (ImageResampler resampler = ImageResampler.take()) {
                resampler.resize(
                        image,
                        each.width(),
                        each.height(),
                        new ImageWindow(0, 0, each.width(), each.height()),
                        each.filter(),
                        new PixelImage(target, each.width(), each.height(), 3, targetStride));
            }
            for (int y = 0; y < each.height(); y++) {
                byte[] row = target.asSlice(y * targetStride, each.width() * 3L).toArray(ValueLayout.JAVA_BYTE);
                int from = y * each.width() * 3;
                assertThat(row).isEqualTo(Arrays.copyOfRange(each.resized(), from, from + row.length));
                if (y < each.height() - 1) {
                    assertThat(target.get(ValueLayout.JAVA_BYTE, y * targetStride + row.length))
                            .isEqualTo((byte) 77);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Interpolation.class)
    void onePixelBecomesAnyNumberOfTheSame(Interpolation filter) {
        PixelImage one = PixelImage.dense(MemorySegment.ofArray(new byte[] {10, 20, (byte) 200}), 1, 1, 3);
        byte[] result = new byte[7 * 5 * 3];
        try (ImageResampler resampler = ImageResampler.take()) {
            resampler.resize(
                    one,
                    7,
                    5,
                    new ImageWindow(0, 0, 7, 5),
                    filter,
                    PixelImage.dense(MemorySegment.ofArray(result), 7, 5, 3));
        }
        for (int i = 0; i < result.length; i += 3) {
            assertThat(Arrays.copyOfRange(result, i, i + 3)).containsExactly(10, 20, (byte) 200);
        }
    }

    @ParameterizedTest
    @EnumSource(Interpolation.class)
    void anEvenImageStaysEven(Interpolation filter) {
        byte[] even = new byte[300 * 7 * 4];
        Arrays.fill(even, (byte) 255);
        byte[] result = new byte[2 * 90 * 4];
        try (ImageResampler resampler = ImageResampler.take()) {
            resampler.resize(
                    PixelImage.dense(MemorySegment.ofArray(even), 300, 7, 4),
                    2,
                    90,
                    new ImageWindow(0, 0, 2, 90),
                    filter,
                    PixelImage.dense(MemorySegment.ofArray(result), 2, 90, 4));
        }
        assertThat(result).containsOnly((byte) 255);
    }

    @Test
    void planesHaveTheSamePixelsAsNumbers() {
        Case each = cases.stream()
                .filter(one -> one.given().channels() == 3 && one.filter() == Interpolation.BICUBIC)
                .findFirst()
                .orElseThrow();
        ImageWindow window = new ImageWindow(0, 0, each.width(), each.height());
        PixelPlanes planes = PixelPlanes.unit(3, false);
        try (Arena arena = Arena.ofConfined();
                ImageResampler resampler = ImageResampler.take()) {
            MemorySegment target = arena.allocate(planes.bytes(each.width(), each.height()), 4);
            resampler.planes(each.given(), each.width(), each.height(), window, each.filter(), true, planes, target);
            int plane = each.width() * each.height();
            for (int i = 0; i < each.resized().length; i++) {
                float value = target.getAtIndex(ValueLayout.JAVA_FLOAT, i % 3 * plane + i / 3);
                assertThat(Math.round(value * 255)).isEqualTo(each.resized()[i] & 255);
            }
        }
    }

    @Test
    void planesThatNeedNotBeExactDifferByTwoAtMost() {
        PixelPlanes planes = PixelPlanes.unit(3, false);
        int different = 0;
        for (Case each : cases) {
            if (each.given().channels() != 3) {
                continue;
            }
            ImageWindow window =
                    new ImageWindow(each.width() / 3, each.height() / 4, each.width() * 2 / 3, each.height() * 3 / 4);
            window = window.width() < 1 || window.height() < 1
                    ? new ImageWindow(0, 0, each.width(), each.height())
                    : window;
            byte[] expected = each.cut(window);
            byte[] bytes = new byte[Math.toIntExact(planes.bytes(window.width(), window.height()))];
            MemorySegment target = MemorySegment.ofArray(bytes);
            try (ImageResampler resampler = ImageResampler.take()) {
                resampler.planes(
                        each.given(), each.width(), each.height(), window, each.filter(), false, planes, target);
            }
            int plane = window.width() * window.height();
            for (int i = 0; i < expected.length; i++) {
                float value =
                        target.get(ValueLayout.JAVA_FLOAT_UNALIGNED, (long) Float.BYTES * (i % 3 * plane + i / 3));
                int difference = Math.abs(Math.round(value * 255) - (expected[i] & 255));
                assertThat(difference).as(each.name()).isLessThanOrEqualTo(2);
                different += difference == 0 ? 0 : 1;
            }
        }
        assertThat(different).isPositive();
    }

    @Test
    void aWindowOutsideOfTheImageIsAnError() {
        PixelImage image = PixelImage.dense(MemorySegment.ofArray(new byte[100]), 10, 10, 1);
        PixelImage target = PixelImage.dense(MemorySegment.ofArray(new byte[36]), 6, 6, 1);
        try (ImageResampler resampler = ImageResampler.take()) {
            assertThatThrownBy(() ->
                            resampler.resize(image, 8, 8, new ImageWindow(3, 0, 6, 6), Interpolation.BILINEAR, target))
                    .hasMessage("A window of 6 x 6 pixels at (3, 0) does not lie in an image of 8 x 8 pixels.");
        }
    }

    @Test
    void memoryThatIsTooSmallForAnImageIsAnError() {
        assertThatThrownBy(() -> PixelImage.dense(MemorySegment.ofArray(new byte[29]), 10, 1, 3))
                .hasMessage("An image of 10 x 1 x 3 with rows every 30 bytes needs 30 bytes; there are 29.");
    }
}

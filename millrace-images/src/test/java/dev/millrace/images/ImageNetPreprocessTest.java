package dev.millrace.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.column.Tensor;
import dev.millrace.column.TensorColumn;
import dev.millrace.images.options.Interpolation;
import dev.millrace.testing.Python;
import dev.millrace.type.DataType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageNetPreprocessTest {
    private static final ImageNetPreprocess STANDARD = ImageNetPreprocess.standard();
    private static final ImageNetPreprocess EXACT = STANDARD.exact();
    private static final int VALUES = 3 * 224 * 224;
    private static final double[] MEAN = {0.485, 0.456, 0.406};
    private static final double[] STD = {0.229, 0.224, 0.225};

    /// A step of a pixel's 255 after normalisation, for the channel with the smallest deviation.
    private static final double PIXEL_STEP = 1 / (255 * 0.224);

    @TempDir
    static Path folder;

    private static List<Photo> photos;

    /// @param planes what Pillow and numpy made of it
    record Photo(String name, Path file, Tensor pixels, float[] planes) {
        static Photo of(Path pixels) {
            String[] parts =
                    pixels.getFileName().toString().replace(".pixels", "").split("_", -1);
            String ending = parts[0].equals("alpha") ? ".png" : ".jpg";
            try {
                Tensor tensor = Tensor.ofUnsigned(
                        Files.readAllBytes(pixels),
                        Integer.parseInt(parts[2]),
                        Integer.parseInt(parts[1]),
                        Integer.parseInt(parts[3]));
                byte[] planes = Files.readAllBytes(pixels.resolveSibling(parts[0] + ".planes"));
                float[] floats = new float[VALUES];
                ByteBuffer.wrap(planes)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asFloatBuffer()
                        .get(floats);
                return new Photo(parts[0], pixels.resolveSibling(parts[0] + ending), tensor, floats);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    @BeforeAll
    static void makePhotographs() throws IOException {
        Python.environment("images").run(ImageNetPreprocessTest.class, "preprocess.py", folder.toString());
        try (Stream<Path> files = Files.list(folder)) {
            photos = files.filter(file -> file.toString().endsWith(".pixels"))
                    .sorted()
                    .map(Photo::of)
                    .toList();
        }
        assertThat(photos).hasSize(11);
    }

    private static Tensor[] pixels() {
        return photos.stream().map(Photo::pixels).toArray(Tensor[]::new);
    }

    private static float[] floats(Batch batch, String column, long row) {
        return batch.tensors(column).tensor(row).toFloats();
    }

    private static float largestDifference(float[] one, float[] other) {
        assertThat(one).hasSameSizeAs(other);
        float largest = 0;
        for (int i = 0; i < one.length; i++) {
            largest = Math.max(largest, Math.abs(one[i] - other[i]));
        }
        return largest;
    }

    private static double meanDifference(float[] one, float[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += Math.abs(one[i] - other[i]);
        }
        return sum / one.length;
    }

    @Test
    void decodedPixelsBecomeWhatPillowAndNumpyMake() {
        Batch batch = EXACT.apply(Batch.of("image", pixels()));
        for (int i = 0; i < photos.size(); i++) {
            assertThat(largestDifference(
                            floats(batch, "image", i), photos.get(i).planes()))
                    .as(photos.get(i).name())
                    .isLessThan(1e-5f);
        }
    }

    @Test
    void theSchemaBeforeARunIsThatOfTheResults() {
        Batch images = Batch.of("image", pixels(), "n", new long[photos.size()]);
        for (ImageNetPreprocess each : List.of(
                STANDARD,
                STANDARD.float16().crop(100),
                STANDARD.output("planes"),
                STANDARD.uint8ChannelsLast().crop(99))) {
            assertThat(each.outputSchema(images.schema()))
                    .contains(each.apply(images).schema());
        }
        assertThatThrownBy(() -> STANDARD.column("photo").outputSchema(images.schema()))
                .hasMessageContaining("ImageNetPreprocess: there is no column 'photo'");
    }

    @Test
    void pixelsStayNearPillowsUnlessTheyMustBeExact() {
        Batch exact = EXACT.apply(Batch.of("image", pixels()));
        Batch batch = STANDARD.apply(Batch.of("image", pixels()));
        Batch halves = STANDARD.float16().apply(Batch.of("image", pixels()));
        int different = 0;
        for (int i = 0; i < photos.size(); i++) {
            Photo photo = photos.get(i);
            float[] made = floats(batch, "image", i);
            assertThat(meanDifference(made, photo.planes()) / PIXEL_STEP)
                    .as(photo.name() + ", of 255")
                    .isLessThan(0.3);
            assertThat(largestDifference(made, photo.planes()) / PIXEL_STEP)
                    .as(photo.name() + ", of 255")
                    .isLessThan(2.001);
            assertThat(largestDifference(made, floats(halves, "image", i)))
                    .as(photo.name())
                    .isLessThan(0.002f);
            different += Arrays.equals(made, floats(exact, "image", i)) ? 0 : 1;
        }
        // Else the fast way was not taken.
        assertThat(different).isPositive();
    }

    @Test
    void imageFilesBecomeWhatPillowAndNumpyMakeOfThem() throws IOException {
        byte[][] files = new byte[photos.size()][];
        for (int i = 0; i < files.length; i++) {
            files[i] = Files.readAllBytes(photos.get(i).file());
        }
        Batch batch = STANDARD.column("bytes").output("image").apply(Batch.of("bytes", files));
        assertThat(batch.columns()).containsExactly("bytes", "image");
        for (int i = 0; i < files.length; i++) {
            double difference =
                    meanDifference(floats(batch, "image", i), photos.get(i).planes()) / PIXEL_STEP;
            assertThat(difference).as(photos.get(i).name() + ", of 255").isLessThan(0.5);
        }
    }

    @Test
    void columnsOfOneShapeAreTakenToo() {
        Photo photo = photos.stream()
                .filter(one -> one.name().equals("rgb0"))
                .findFirst()
                .orElseThrow();
        Batch batch = Batch.of("image", new Tensor[] {photo.pixels(), photo.pixels()});
        assertThat(batch.column("image")).isInstanceOf(TensorColumn.class);
        Batch made = EXACT.apply(batch);
        assertThat(largestDifference(floats(made, "image", 1), photo.planes())).isLessThan(1e-5f);
    }

    @Test
    void otherColumnsStayAndNullStaysNull() {
        Tensor[] images = Arrays.copyOf(pixels(), 3);
        images[1] = null;
        Batch batch = EXACT.apply(Batch.of("path", new String[] {"a", "b", "c"}, "image", images));
        assertThat(batch.columns()).containsExactly("path", "image");
        assertThat(batch.strings("path").get(2)).isEqualTo("c");
        assertThat(batch.column("image").isNull(1)).isTrue();
        assertThat(batch.column("image").nullCount()).isEqualTo(1);
        assertThat(largestDifference(floats(batch, "image", 2), photos.get(2).planes()))
                .isLessThan(1e-5f);
    }

    @Test
    void numbersMayHaveSixteenBits() {
        Batch batch = EXACT.float16().apply(Batch.of("image", pixels()));
        assertThat(batch.column("image").type()).isEqualTo(DataType.tensor(DataType.FLOAT16, 3, 224, 224));
        assertThat(largestDifference(floats(batch, "image", 3), photos.get(3).planes()))
                .isLessThan(0.002f);
    }

    @Test
    void pixelsThatAreNormalisedLaterAreTheSameOnes() {
        for (ImageNetPreprocess each : List.of(EXACT, STANDARD)) {
            Batch normalised = each.apply(Batch.of("image", pixels()));
            Batch planes = each.uint8().apply(Batch.of("image", pixels()));
            Batch interleaved = each.uint8ChannelsLast().apply(Batch.of("image", pixels()));
            assertThat(planes.column("image").type()).isEqualTo(DataType.tensor(DataType.UINT8, 3, 224, 224));
            assertThat(interleaved.column("image").type()).isEqualTo(DataType.tensor(DataType.UINT8, 224, 224, 3));
            for (int row = 0; row < photos.size(); row++) {
                byte[] unsigned = planes.tensors("image").tensor(row).toBytes();
                float[] later = new float[VALUES];
                byte[] last = new byte[VALUES];
                for (int i = 0; i < VALUES; i++) {
                    int plane = i / (224 * 224);
                    later[i] = (float) (((unsigned[i] & 255) / 255.0 - MEAN[plane]) / STD[plane]);
                    last[i % (224 * 224) * 3 + plane] = unsigned[i];
                }
                assertThat(largestDifference(floats(normalised, "image", row), later))
                        .as(photos.get(row).name())
                        .isLessThan(1e-5f);
                assertThat(interleaved.tensors("image").tensor(row).toBytes())
                        .as(photos.get(row).name())
                        .isEqualTo(last);
            }
        }
    }

    @Test
    void meanDeviationSizesAndFilterAreTheUsers() {
        byte[] grey = new byte[64 * 48];
        Arrays.fill(grey, (byte) 200);
        ImageNetPreprocess lite = STANDARD.resize(40)
                .crop(32)
                .mean(.498, .498, .498)
                .std(.502, .502, .502)
                .interpolation(Interpolation.BICUBIC);
        Batch batch = lite.apply(Batch.of("image", new Tensor[] {Tensor.ofUnsigned(grey, 48, 64)}));
        assertThat(batch.column("image").type()).isEqualTo(DataType.tensor(DataType.FLOAT32, 3, 32, 32));
        for (float value : floats(batch, "image", 0)) {
            assertThat(value).isCloseTo((float) ((200 / 255.0 - .498) / .502), offset(1e-5f));
        }
    }

    @Test
    void aPipelineEndsWithNothingHeld() {
        try (Session session = Session.open()) {
            List<double[]> sums =
                    session.fromBatches(Batch.of("image", pixels())).mapBatches(EXACT).takeAll(100).stream()
                            .map(row -> new double[] {sum(((Tensor) row.get("image")).toFloats())})
                            .toList();
            for (int i = 0; i < sums.size(); i++) {
                assertThat(sums.get(i)[0]).isCloseTo(sum(photos.get(i).planes()), offset(0.5));
            }
        }
    }

    private static double sum(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += value;
        }
        return sum;
    }

    @Test
    void itTravels() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        STANDARD.apply(Batch.of("image", pixels()));
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(STANDARD.crop(10));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            ImageNetPreprocess copy = (ImageNetPreprocess) in.readObject();
            Batch batch = Batch.of("image", pixels());
            assertThat(floats(copy.apply(batch), "image", 0))
                    .isEqualTo(floats(STANDARD.crop(10).apply(batch), "image", 0));
        }
    }

    @Test
    void whatCannotWorkIsSaidInASentence() {
        Batch images = Batch.of("image", pixels());
        assertThatThrownBy(() -> STANDARD.resize(200).apply(images))
                .hasMessage("ImageNetPreprocess: a crop of 224 pixels does not lie in an image whose shorter side is"
                        + " resized to 200. Choose resize(224) or more, or a smaller crop.");
        assertThatThrownBy(() -> STANDARD.apply(Batch.of("image", new long[] {1})))
                .hasMessage("Column 'image' is int64 and holds no images. Images are tensors of uint8, height x width"
                        + " x channels, or the bytes of image files.");
        assertThatThrownBy(() -> STANDARD.column("photo").apply(images)).hasMessageContaining("no column 'photo'");
        assertThatThrownBy(() ->
                        STANDARD.apply(Batch.of("image", new Tensor[] {Tensor.ofUnsigned(new byte[24], 3, 4, 2)})))
                .hasMessage(
                        "Row 0 of column 'image' is a tensor of shape [3, 4, 2]: an image is height x width x 1 (grey),"
                                + " 3 (RGB) or 4 (RGBA).");
        assertThatThrownBy(() -> STANDARD.apply(Batch.of("image", new byte[][] {{1, 2, 3}})))
                .hasMessageStartingWith("Row 0 of column 'image' ");
        assertThatThrownBy(() -> STANDARD.crop(0))
                .hasMessage("ImageNetPreprocess.crop(0): a side has at least one pixel.");
        assertThatThrownBy(() -> STANDARD.std(1, 0, 1))
                .hasMessage("ImageNetPreprocess.std(1.0, 0.0, 1.0): nothing is divided by 0.");
    }
}

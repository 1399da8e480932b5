package dev.millrace.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.images.options.ImageEncoding;
import dev.millrace.images.options.ImageMode;
import dev.millrace.images.options.ReadImages;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.source.FileReads;
import dev.millrace.type.DataType;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadImagesTest {
    @TempDir
    Path folder;

    private Session session;

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    /// A picture whose red is the column and whose green is the row.
    static byte[] encoded(String format, int height, int width) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(x, y, (x & 0xFF) << 16 | (y & 0xFF) << 8 | 7);
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(image, format, out);
        return out.toByteArray();
    }

    private Path write(String name, byte[] bytes) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }

    @Test
    void batchesOfAKnownSizeAreBlocksAsTheyAreRead() throws IOException {
        byte[] image = encoded("png", 4, 6);
        for (int i = 0; i < 64; i++) {
            write("many/" + i + ".png", image);
        }
        try (Session two = Session.builder()
                .limits(ResourceLimits.DEFAULT.withSlots(2))
                .progress(ProgressSettings.OFF)
                .open()) {
            Dataset images = two.readImages(folder.resolve("many").toString())
                    .mapBatches(batch -> batch, Compute.defaults().batchSize(3));
            try (var batches = images.iterTensorBatches(
                    TensorBatchOptions.batchSize(7).dropLast().columns("image"))) {
                batches.forEachRemaining(
                        batch -> assertThat(batch.tensor("image").shape()).containsExactly(7, 4, 6, 3));
            }
            assertThat(images.lastRun().orElseThrow().operators().getLast().outputBlocks())
                    .as("blocks of 14, 14, 14, 14 and 8 rows")
                    .isEqualTo(5);
        }
    }

    @Test
    void aFolderOfImagesBecomesRowsOfPixels() throws IOException {
        write("a.png", encoded("png", 4, 6));
        write("B.PNG", encoded("png", 2, 3));
        write("deep/c.jpg", encoded("jpg", 9, 8));
        write("notes.txt", new byte[] {1});
        Dataset images = session.readImages(folder.toString(), ReadImages.rgb().includePaths());
        assertThat(images.schema().toString()).isEqualTo("image: tensor<uint8, 3d>, path: utf8");
        assertThat(images.count()).isEqualTo(3);
        List<Row> rows = images.takeAll();
        assertThat(rows.stream()
                        .map(row -> folder.relativize(Path.of(row.getString("path")))
                                .toString()))
                .containsExactly("B.PNG", "a.png", "deep/c.jpg");
        Tensor a = (Tensor) rows.get(1).get("image");
        assertThat(a.shape()).containsExactly(4, 6, 3);
        assertThat(a.data().toArray(ValueLayout.JAVA_BYTE))
                .startsWith(0, 0, 7, 1, 0, 7)
                .endsWith(5, 3, 7);
        assertThat(((Tensor) rows.get(2).get("image")).shape()).containsExactly(9, 8, 3);
    }

    @Test
    void onlyPathsMeansThatNothingIsDecoded() throws IOException {
        write("broken.png", Arrays.copyOf(encoded("png", 4, 6), 40));
        Dataset images = session.readImages(folder.toString(), ReadImages.rgb().includePaths());
        assertThat(images.select("path").takeAll()).hasSize(1);
        assertThat(images.count()).isEqualTo(1);
    }

    @Test
    void aFolderWithoutImagesSaysWhatIsThere() throws IOException {
        write("notes.txt", new byte[] {1});
        assertThatThrownBy(() -> session.readImages(folder.toString()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("has no files that end in .jpg, .jpeg,")
                .hasMessageContaining("there is notes.txt");
    }

    @Test
    void brokenImagesNameTheirFileAndWhatIsWrong() throws IOException {
        byte[] jpeg = encoded("jpg", 90, 80);
        for (byte[] broken : List.of(
                new byte[0],
                new byte[5],
                "this is no picture at all".getBytes(StandardCharsets.UTF_8),
                Arrays.copyOf(jpeg, 30),
                Arrays.copyOf(jpeg, jpeg.length / 2),
                Arrays.copyOf(jpeg, jpeg.length - 40))) {
            Path file = write("broken.jpg", broken);
            assertThatThrownBy(() -> session.readImages(file.toString()).takeAll())
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageStartingWith("'" + file + "' ")
                    .hasMessageMatching("(?s).*(is empty|too few for an image|no image of a known format"
                            + "|ends within its header|of 80 x 90 pixels that is damaged or cut off).*");
        }
    }

    @Test
    void brokenImagesAreSkippedOrKeptAsideByThePolicy() throws IOException {
        for (int i = 0; i < 10; i++) {
            byte[] image = encoded("png", 20 + i, 30);
            write("image-" + i + ".png", i % 4 == 1 ? Arrays.copyOf(image, image.length - 20) : image);
        }
        Dataset images = session.readImages(folder.toString());
        assertThatThrownBy(images::takeAll)
                .hasMessageMatching("(?s).*image-[159].png' is a PNG image that is damaged or cut off: a part of .*");
        assertThat(images.onReadError(ErrorPolicy.skip()).takeAll()).hasSize(7);
        assertThat(images.onReadError(ErrorPolicy.deadLetter("broken")).takeAll())
                .hasSize(7);
        assertThat(session.deadLetters("broken").takeAll())
                .hasSize(3)
                .allSatisfy(letter -> assertThat(letter.asMap().toString()).contains("damaged or cut off"));
        assertThatThrownBy(images.onReadError(ErrorPolicy.skip().atMost(2))::takeAll)
                .hasMessageContaining("image-");
    }

    @Test
    void anImageThatClaimsTooManyPixelsIsADataErrorWithNumbers() throws IOException {
        byte[] bomb = encoded("png", 4, 4);
        ByteBuffer.wrap(bomb).putInt(16, 60_000).putInt(20, 60_000);
        Path file = write("bomb.png", bomb);
        assertThatThrownBy(() -> session.readImages(file.toString()).takeAll())
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessageStartingWith(
                        "'" + file + "' claims to have 60000 x 60000 pixels, 3,600,000,000 in " + bomb.length
                                + " bytes, and at most 178,956,970 are allowed. If it is not damaged, allow more with maxPixels.");
        Path small = write("small.png", encoded("png", 10, 10));
        assertThatThrownBy(() -> session.readImages(
                                small.toString(), ReadImages.rgb().maxPixels(99))
                        .takeAll())
                .hasMessageContaining("10 x 10 pixels");
    }

    /// PIL does not write such files.
    @Test
    void interlacedImagesAreAsTheOthers() throws IOException {
        for (int side : List.of(1, 2, 3, 5, 8, 9, 33)) {
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(encoded("png", side, side + 1)));
            ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
            ImageWriteParam way = writer.getDefaultWriteParam();
            way.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (ImageOutputStream stream = ImageIO.createImageOutputStream(out)) {
                writer.setOutput(stream);
                writer.write(null, new IIOImage(image, null, null), way);
            }
            assertThat(out.toByteArray()[28]).isEqualTo((byte) 1);
            Path interlaced = write("interlaced.png", out.toByteArray());
            Path plain = write("plain.png", encoded("png", side, side + 1));
            for (ReadImages options : List.of(ReadImages.rgb(), ReadImages.rgba(), ReadImages.grey())) {
                assertThat(session.readImages(interlaced.toString(), options)
                                .take(1)
                                .getFirst()
                                .get("image"))
                        .isEqualTo(session.readImages(plain.toString(), options)
                                .take(1)
                                .getFirst()
                                .get("image"));
            }
        }
    }

    @Test
    void imagesOfOneSizeAreTensorsOfOneShape() throws IOException {
        write("a.png", encoded("png", 40, 60));
        write("b.png", encoded("png", 20, 30));
        Dataset images = session.readImages(folder.toString(), ReadImages.grey().size(8, 9));
        assertThat(images.schema().type("image")).isEqualTo(DataType.tensor(DataType.UINT8, 8, 9));
        assertThat(images.takeAll())
                .hasSize(2)
                .allSatisfy(
                        row -> assertThat(((Tensor) row.get("image")).shape()).containsExactly(8, 9));
    }

    @Test
    void greyImagesAreHeightTimesWidthAndOperationsTakeAndGiveThem() throws IOException {
        write("a.png", encoded("png", 40, 60));
        Dataset images = session.readImages(folder.toString(), ReadImages.grey());
        assertThat(images.schema().type("image")).isEqualTo(DataType.variableTensor(DataType.UINT8, 2));
        Tensor grey = (Tensor) images.take(1).getFirst().get("image");
        assertThat(grey.shape()).containsExactly(40, 60);

        Dataset worked = images.withColumn("small", Images.resize("image", 8, 9))
                .withColumn("turned", Images.flipHorizontal("image"))
                .withColumn("coloured", Images.convert("image", ImageMode.RGB))
                .withColumn("planes", Images.toChw(Images.resize("image", 8, 9)))
                .withColumn("png", Images.encode("image", ImageEncoding.png()))
                .withColumn("decoded", Images.decode("png", ImageMode.GREY))
                .drop("png");
        assertThat(worked.schema().toString())
                .isEqualTo("image: tensor<uint8, 2d>, small: tensor<uint8, 8x9>, turned: tensor<uint8, 2d>,"
                        + " coloured: tensor<uint8, 3d>, planes: tensor<float32, 1x8x9>, decoded: tensor<uint8, 2d>");
        Row row = worked.take(1).getFirst();
        assertThat(row.get("decoded")).isEqualTo(grey);
        assertThat(((Tensor) row.get("turned")).shape()).containsExactly(40, 60);
        assertThat(((Tensor) row.get("coloured")).shape()).containsExactly(40, 60, 3);
    }

    @Test
    void filesBecomeAsManyBlocksAsAskedForAndAnImageIsNeverCut() throws IOException {
        for (int i = 0; i < 20; i++) {
            write("%02d.png".formatted(i), encoded("png", 4 + 5 * (i % 7), 6));
        }
        for (int blocks : new int[] {1, 3, 7, 20}) {
            try (MaterializedDataset read = session.readImages(
                            folder.toString(), ReadImages.rgb().blocks(blocks))
                    .materialize()) {
                assertThat(read.numBlocks()).isEqualTo(blocks);
                assertThat(read.count()).isEqualTo(20);
            }
        }
        Dataset read = session.readImages(
                folder.toString(), ReadImages.rgb().blocks(64).cpus(0.25).concurrency(3));
        assertThat(read.explain()).contains("64 blocks, at most 3 at once, 0.25 CPU each");
        try (MaterializedDataset blocks = read.materialize()) {
            assertThat(blocks.numBlocks()).isEqualTo(20);
        }
    }

    @Test
    void optionsThatMakeNoSenseAreRefusedAtTheCall() {
        assertThatThrownBy(() -> ReadImages.rgb().size(0, 5))
                .hasMessage("size: images cannot have a height of 0 and a width of 5: both must be positive.");
        assertThatThrownBy(() -> ReadImages.rgb().maxPixels(0)).hasMessageContaining("1 or more pixels");
        assertThatThrownBy(() -> session.readImages(folder.toString(), FileReads.defaults()))
                .hasMessage("The options of 'images' are a ReadImages, not a FileReads.");
    }

    @Test
    void aWholeFileOfAnUnusualKindIsNotCalledDamaged() throws IOException {
        byte[] jpeg = encoded("jpg", 30, 40);
        int frame = 0;
        while ((jpeg[frame] & 0xFF) != 0xFF || (jpeg[frame + 1] & 0xFF) != 0xC0) {
            frame++;
        }
        jpeg[frame + 1] = (byte) 0xC3;
        Path lossless = write("lossless.jpg", jpeg);
        assertThatThrownBy(() -> session.readImages(lossless.toString()).takeAll())
                .hasMessageContaining(
                        "lossless.jpg' is a JPEG image of 40 x 30 pixels that cannot be decoded, with frames of"
                                + " the kind c3 (arithmetic, lossless or hierarchical)");
    }
}

package dev.millrace.images;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.images.options.ImageEncoding;
import dev.millrace.images.options.ImageMode;
import dev.millrace.images.options.Interpolation;
import dev.millrace.images.options.ReadImages;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.FileReads;
import dev.millrace.testing.Python;
import dev.millrace.type.DataType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Operations on images, held against PIL and numpy.
class ImagesTest {
    private static final double[] MEAN = {0.485, 0.456, 0.406};
    private static final double[] STD = {0.229, 0.224, 0.225};

    @TempDir
    static Path folder;

    private Session session;

    @BeforeAll
    static void write() {
        Python.environment("images").run(ImagesTest.class, "image_operations.py", folder.toString());
    }

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    private Dataset bytes() {
        return session.readBinaryFiles(folder + "/*.png", FileReads.defaults());
    }

    private static Expression operation(String name, Object image) {
        return switch (name) {
            case "bilinear" -> Images.resize(image, 30, 40);
            case "bicubic" -> Images.resize(image, 30, 40, Interpolation.BICUBIC);
            case "nearest" -> Images.resize(image, 30, 40, Interpolation.NEAREST);
            case "larger" -> Images.resize(image, 130, 140, Interpolation.BICUBIC);
            case "crop" -> Images.crop(image, 7, 5, 10, 20);
            case "centre" -> Images.centreCrop(image, 10, 20);
            case "mirrored" -> Images.flipHorizontal(image);
            case "flipped" -> Images.flipVertical(image);
            case "grey" -> Images.convert(image, ImageMode.GREY);
            case "alpha" -> Images.convert(image, ImageMode.RGBA);
            case "all" -> Images.flipHorizontal(Images.crop(Images.resize(image, 35, 50), 10, 10, 20, 30));
            case "shorter" -> Images.resizeShorterSide(image, 32);
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bilinear",
                "bicubic",
                "nearest",
                "larger",
                "crop",
                "centre",
                "mirrored",
                "flipped",
                "grey",
                "alpha",
                "all",
                "shorter"
            })
    void operationsGiveThePixelsOfPil(String name) {
        PilPixels wanted = PilPixels.of(folder.resolve("first.png"), name);
        Expression ofBytes = operation(name, Images.decode(col("bytes")));
        Expression ofImages = operation(name, col("image"));
        String first = folder.resolve("first.png").toString();
        List<Dataset> ways = List.of(
                bytes().withColumn("image", ofBytes),
                session.readImages(folder + "/*.png", ReadImages.rgb()).withColumn("image", ofImages),
                session.readImages(first, ReadImages.rgb().size(61, 87)).withColumn("image", ofImages),
                bytes().withColumn("image", Images.decode("bytes")).mapBatches(Images.onBatch("image", ofImages)),
                bytes().mapBatches(Images.onBatch("image", ofBytes)));
        for (Dataset way : ways) {
            Row row = way.take(1).getFirst();
            assertThat(wanted.from((Tensor) row.get("image")).most()).as(name).isZero();
        }
    }

    @Test
    void sizesThatAreKnownMakeTensorsOfOneShape() {
        Expression decoded = Images.decode(col("bytes"));
        assertThat(typeOf(decoded)).isEqualTo(DataType.variableTensor(DataType.UINT8, 3));
        assertThat(typeOf(Images.resize(decoded, 8, 9))).isEqualTo(DataType.tensor(DataType.UINT8, 8, 9, 3));
        assertThat(typeOf(Images.centreCrop(Images.decode("bytes", ImageMode.GREY), 4, 4)))
                .isEqualTo(DataType.tensor(DataType.UINT8, 4, 4));
        assertThat(typeOf(Images.toChw(decoded))).isEqualTo(DataType.variableTensor(DataType.FLOAT32, 3));
        assertThat(typeOf(Images.toChw(Images.resize(decoded, 8, 9), DataType.FLOAT16)))
                .isEqualTo(DataType.tensor(DataType.FLOAT16, 3, 8, 9));
        assertThat(typeOf(Images.encode(decoded, ImageEncoding.png()))).isEqualTo(DataType.BINARY);
        Dataset any = session.readImages(folder + "/*.png", ReadImages.rgba());
        assertThat(any.withColumn("image", Images.resize("image", 8, 9))
                        .schema()
                        .type("image"))
                .isEqualTo(DataType.tensor(DataType.UINT8, 8, 9, 3));
        assertThat(any.withColumn("image", Images.resize(Images.convert("image", ImageMode.RGBA), 8, 9))
                        .schema()
                        .type("image"))
                .isEqualTo(DataType.tensor(DataType.UINT8, 8, 9, 4));
        assertThat(any.withColumn("image", Images.resize("image", 8, 9)).takeAll())
                .hasSize(3);
    }

    private DataType typeOf(Expression expression) {
        return bytes().select(expression.as("x")).schema().type("x");
    }

    @Test
    void numbersForModelsAreThoseOfNumpy() throws IOException {
        Expression decoded = Images.decode(col("bytes"));
        Row row = bytes().select(
                        Images.toChw(decoded).as("chw"),
                        Images.normalise(Images.centreCrop(Images.resizeShorterSide(decoded, 32), 24, 24), MEAN, STD)
                                .as("normalised"),
                        Images.normalise(
                                        Images.centreCrop(Images.resizeShorterSide(decoded, 32), 24, 24),
                                        MEAN,
                                        STD,
                                        DataType.FLOAT16)
                                .as("half"))
                .take(1)
                .getFirst();
        check((Tensor) row.get("chw"), new int[] {3, 61, 87}, "chw", 1e-6f);
        check((Tensor) row.get("normalised"), new int[] {3, 24, 24}, "normalised", 1e-5f);
        check((Tensor) row.get("half"), new int[] {3, 24, 24}, "normalised", 2e-3f);
    }

    private static void check(Tensor tensor, int[] shape, String name, float tolerance) throws IOException {
        assertThat(tensor.shape()).isEqualTo(shape);
        ByteBuffer wanted = ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name + ".floats")))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (float value : tensor.toFloats()) {
            assertThat(value).isCloseTo(wanted.getFloat(), within(tolerance));
        }
        assertThat(wanted.hasRemaining()).isFalse();
    }

    @Test
    void encodedImagesAreReadByOthersAndComeBack() throws IOException {
        Expression decoded = Images.decode(col("bytes"));
        Row row = bytes().select(
                        decoded.as("image"),
                        Images.encode(decoded, ImageEncoding.png()).as("png"),
                        Images.encode(decoded, ImageEncoding.jpeg(95)).as("jpeg"),
                        Images.encode(decoded, ImageEncoding.jpeg(10)).as("small"),
                        Images.encode(Images.convert(decoded, ImageMode.GREY), ImageEncoding.png(9))
                                .as("grey"),
                        Images.encode(decoded, ImageEncoding.losslessWebp()).as("webp"))
                .take(1)
                .getFirst();
        Tensor image = (Tensor) row.get("image");
        var png = ImageIO.read(new ByteArrayInputStream((byte[]) row.get("png")));
        var grey = ImageIO.read(new ByteArrayInputStream((byte[]) row.get("grey")));
        assertThat(grey.getRaster().getNumBands()).isEqualTo(1);
        byte[] pixels = image.data().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        for (int y = 0; y < 61; y++) {
            for (int x = 0; x < 87; x++) {
                int at = 3 * (y * 87 + x);
                int colours = (pixels[at] & 0xFF) << 16 | (pixels[at + 1] & 0xFF) << 8 | pixels[at + 2] & 0xFF;
                assertThat(png.getRGB(x, y) & 0xFFFFFF).isEqualTo(colours);
            }
        }
        assertThat(((byte[]) row.get("small")).length).isLessThan(((byte[]) row.get("jpeg")).length / 3);
        Dataset again = session.items(List.of((byte[]) row.get("webp"), (byte[]) row.get("png")))
                .select(Images.decode("item").as("image"));
        for (Row same : again.takeAll()) {
            assertThat(same.get("image")).isEqualTo(image);
        }
    }

    @Test
    void brokenImagesFollowThePolicyOfTheVerb() {
        List<byte[]> images = new ArrayList<>();
        byte[] good = read("first.png");
        for (int i = 0; i < 20; i++) {
            images.add(i % 7 == 3 ? Arrays.copyOf(good, 300 + i) : i == 5 ? null : good);
        }
        Dataset rows = session.items(images, 1).withColumn("n", col("item").isNull());
        Expression decoded = Images.decode("item");
        assertThatThrownBy(rows.withColumn("image", decoded)::takeAll)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessageContaining("decode(column): the image is a PNG image that is damaged or cut off")
                .hasMessageContaining(", in row 3 of the block");
        assertThat(rows.withColumn("image", decoded, ErrorPolicy.skip()).takeAll())
                .hasSize(17)
                .filteredOn(row -> row.get("image") == null)
                .hasSize(1);
        assertThat(rows.withColumn("image", Images.resize(decoded, 4, 4), ErrorPolicy.nulls())
                        .takeAll())
                .hasSize(20)
                .filteredOn(row -> row.get("image") == null)
                .hasSize(4);
    }

    private static byte[] read(String name) {
        try {
            return Files.readAllBytes(folder.resolve(name));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void whatCannotBeIsSaidAtTheCall() {
        assertThatThrownBy(() -> bytes().withColumn("x", Images.resize("bytes", 3, 3)))
                .hasMessage("resize(column, 3, 3) takes images, and the column is binary. Decode it first:"
                        + " Images.decode(column).");
        assertThatThrownBy(() -> session.range(3).withColumn("x", Images.flipVertical("id")))
                .hasMessageContaining("flipVertical(column) takes images, which are tensors of uint8");
        assertThatThrownBy(() -> session.range(3).withColumn("x", Images.decode("id")))
                .hasMessageContaining("takes the bytes of image files, and the column is int64");
        assertThatThrownBy(() -> bytes().withColumn(
                                "x", Images.crop(Images.resize(Images.decode("bytes"), 20, 20), 5, 5, 16, 10)))
                .hasMessageContaining(
                        "Every image of the column has 20 x 20 pixels, and crop(image, 5, 5, 16, 10) does not"
                                + " lie in it");
        assertThatThrownBy(() -> Images.resize(Images.toChw("image"), 3, 3)).hasMessageContaining("no images any more");
        assertThatThrownBy(() -> Images.resize(Images.toChw("image"), 3, 3))
                .hasMessageEndingWith("Put resize(image, 3, 3) inside of it.");
        assertThatThrownBy(() -> Images.toChw(Images.normalise("image", MEAN, MEAN)))
                .hasMessageEndingWith(
                        "toChw and normalise both make planes of numbers, and normalise divides by 255 too:"
                                + " use one of them.");
        assertThatThrownBy(() -> bytes().withColumn("planes", Images.toChw(Images.decode("bytes")))
                        .withColumn("x", Images.normalise("planes", MEAN, MEAN)))
                .hasMessageContaining("Is it made by toChw or normalise? Both stand last, and one is enough");
        assertThatThrownBy(() -> Images.resize("image", 0, 3)).hasMessageContaining("both must be positive");
        assertThatThrownBy(() -> Images.normalise("image", MEAN, new double[] {1, 0, 1}))
                .hasMessageContaining("a deviation that is not 0");
        assertThatThrownBy(() -> ImageEncoding.jpeg(101))
                .hasMessage("JPEG is written with a quality from 0 to 100, not 101.");
        assertThatThrownBy(() -> Images.onBatch("image", col("image").plus(1)))
                .hasMessageContaining("onBatch takes operations of Images over one column");
        assertThatThrownBy(bytes().withColumn("x", Images.centreCrop(Images.decode("bytes"), 60, 60))::takeAll)
                .hasMessageContaining("the image has 50 x 40 pixels, and centreCrop(image, 60, 60) does not lie in it");
    }

    @Test
    void plansShowTheCallsAsTheyWereWritten() {
        Expression all = Images.normalise(
                Images.centreCrop(
                        Images.resizeShorterSide(Images.decode(col("jpg")), 256, Interpolation.BICUBIC), 224, 224),
                new double[] {0.5},
                new double[] {0.25});
        assertThat(all)
                .hasToString("normalise(centreCrop(resizeShorterSide(decode(jpg), 256, BICUBIC), 224, 224), [0.5],"
                        + " [0.25])");
    }
}

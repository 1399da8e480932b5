package dev.millrace.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.expression.Expressions;
import dev.millrace.images.options.ReadImages;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Folders whose pixels are many times the memory of the session.
class ImageMemoryTest {
    private static final int IMAGES = 120;
    private static final int SIDE = 700;

    @TempDir
    Path folder;

    @Test
    void pixelsOfManyTimesTheMemoryStreamThroughIt() throws Exception {
        byte[] image = ReadImagesTest.encoded("jpg", SIDE, SIDE);
        for (int i = 0; i < IMAGES; i++) {
            Files.write(folder.resolve("image-" + i + ".jpg"), image);
        }
        long memory = 32 << 20;
        assertThat((long) IMAGES * SIDE * SIDE * 3).isGreaterThan(5 * memory);
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withMemory(memory).withSlots(4))
                .open()) {
            long[] rows = {0, 0};
            session.readImages(folder.toString(), ReadImages.rgb())
                    .forEachBatch(BatchOptions.of(4), batch -> rows[0] += batch.rows());
            session.readBinaryFiles(folder.toString())
                    .withColumn("image", Images.decode("bytes"))
                    .select(Expressions.col("image"))
                    .forEachBatch(BatchOptions.of(4), batch -> rows[1] += batch.rows());
            assertThat(rows).containsExactly(IMAGES, IMAGES);
        }
    }

    @Test
    void anImageThatIsTooLargeForTheSessionNamesItsFileAndObeysTheErrorPolicy() throws Exception {
        Files.write(folder.resolve("a.png"), ReadImagesTest.encoded("png", 20, 10));
        Path large = folder.resolve("b.png");
        ImageIO.write(new BufferedImage(4000, 4000, BufferedImage.TYPE_BYTE_BINARY), "png", large.toFile());
        Files.write(folder.resolve("c.png"), ReadImagesTest.encoded("png", 20, 10));
        for (ReadImages options : List.of(ReadImages.rgb(), ReadImages.rgb().size(8, 8))) {
            try (Session session = Session.builder()
                    .progress(ProgressSettings.OFF)
                    .limits(ResourceLimits.DEFAULT.withMemory(16 << 20).withSlots(2))
                    .open()) {
                assertThatThrownBy(() ->
                                session.readImages(folder.toString(), options).takeAll())
                        .hasMessageContaining(large + " has a value that is too large for the memory of this session: ")
                        .hasMessageContaining(" bytes");
                assertThat(session.readImages(folder.toString(), options.includePaths())
                                .onReadError(ErrorPolicy.deadLetter("too large"))
                                .takeAll())
                        .hasSize(2);
                assertThat(session.deadLetters("too large").takeAll())
                        .singleElement()
                        .satisfies(letter -> assertThat(letter.toString()).contains("b.png"));
            }
        }
    }
}

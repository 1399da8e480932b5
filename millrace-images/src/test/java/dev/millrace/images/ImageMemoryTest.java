package dev.millrace.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.expression.Expressions;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.source.ReadImages;
import java.nio.file.Files;
import java.nio.file.Path;
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
}

package dev.millrace.images;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.column.Tensor;
import dev.millrace.images.options.ImageEncoding;
import dev.millrace.images.options.ReadImages;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.ReadWebDataset;
import dev.millrace.type.DataType;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pictures in archives.
class WebDatasetImagesTest {
    @TempDir
    Path folder;

    @Test
    void picturesOfArchivesAreDecodedAndGoBackIntoArchives() throws Exception {
        for (int i = 0; i < 12; i++) {
            Files.write(folder.resolve("image-" + i + ".png"), ReadImagesTest.encoded("png", 10 + i, 30));
        }
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            session.readImages(folder.toString(), ReadImages.rgb())
                    .select(Images.encode("image", ImageEncoding.jpeg(90)).as("jpg"))
                    .writeWebDataset(folder.resolve("tars").toString());
            Dataset images = session.readWebDataset(folder.resolve("tars").toString(), ReadWebDataset.extensions("jpg"))
                    .withColumn("image", Images.decode(col("jpg")))
                    .drop("jpg");
            assertThat(images.schema().type("image")).isEqualTo(DataType.variableTensor(DataType.UINT8, 3));
            assertThat(images.takeAll())
                    .hasSize(12)
                    .allSatisfy(row ->
                            assertThat(((Tensor) row.get("image")).shape()[1]).isEqualTo(30))
                    .extracting(row -> ((Tensor) row.get("image")).shape()[0])
                    .containsExactlyInAnyOrder(10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21);
        }
    }
}

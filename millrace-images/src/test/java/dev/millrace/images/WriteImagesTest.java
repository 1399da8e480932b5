package dev.millrace.images;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.concat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.expression.Expressions;
import dev.millrace.images.options.ImageEncoding;
import dev.millrace.images.options.ImageMode;
import dev.millrace.images.options.ReadImages;
import dev.millrace.images.options.WriteImages;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteSummary;
import dev.millrace.stats.FileStats;
import dev.millrace.stats.RunStats;
import dev.millrace.testing.Python;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteImagesTest {
    private static final DataType.Tensor SMALL = DataType.tensor(DataType.UINT8, 6, 8, 3);

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

    /// Images whose pixels are all their number.
    private Dataset numbered(int rows, int blocks) {
        return session.range(rows, blocks).mapBatches(batch -> {
            var images = batch.newColumn(SMALL);
            var ids = batch.longs("id");
            for (int row = 0; row < batch.rows(); row++) {
                byte[] pixels = new byte[6 * 8 * 3];
                Arrays.fill(pixels, (byte) ids.get(row));
                images.append(pixels);
            }
            return batch.with("image", images.build());
        });
    }

    private String out() {
        return folder.resolve("out").toString();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of(out()))) {
            return all.filter(Files::isRegularFile)
                    .map(file -> Path.of(out()).relativize(file).toString())
                    .filter(name -> !name.equals("_SUCCESS"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void statsCountTheImagesThatWereWrittenAndSizesOfSomeAreKnownWithoutDecodingThem() {
        Dataset images = numbered(64, 2);
        WriteSummary summary = images.writeImages(out(), "image");
        RunStats run = images.lastRun().orElseThrow();
        assertThat(run.outputRows()).isEqualTo(64);
        assertThat(run.written()).contains(new FileStats(64, summary.bytes()));
        assertThat(images.stats()).contains("64 rows written to 64 files");

        Dataset some = session.readImages(out()).limit(16);
        assertThat(some.sizeBytes()).isEqualTo(session.readImages(out()).sizeBytes() / 4);
        assertThat(some.lastRun()).isEmpty();
    }

    @Test
    void everyRowIsAFileAndTheyComeBackInOrder() throws IOException {
        WriteSummary summary = numbered(50, 3).writeImages(out(), "image");
        assertThat(summary.rows()).isEqualTo(50);
        assertThat(summary.files()).hasSize(50);
        assertThat(files()).hasSize(50).allMatch(name -> name.matches("part-.*-\\d{6}-\\d{6}\\.png"));
        List<Integer> first = new ArrayList<>();
        for (Row row : session.readImages(out(), ReadImages.grey()).takeAll()) {
            first.add((int) ((Tensor) row.get("image")).data().get(ValueLayout.JAVA_BYTE, 0));
        }
        assertThat(first).isEqualTo(IntStream.range(0, 50).boxed().toList());
    }

    @Test
    void filesAreNamedByAColumnAndReadByPil() throws IOException {
        Dataset named = numbered(4, 2)
                .withColumn(
                        "name",
                        Expressions.when(col("id").eq(3))
                                .then("/some/where/three.jpeg")
                                .otherwise(concat(
                                        "even",
                                        col("id").mod(2).cast(DataType.UTF8),
                                        "/",
                                        col("id").cast(DataType.UTF8))));
        named.writeImages(out(), "image", WriteImages.jpeg(95).namedBy("name"));
        named.withColumn("image", Images.convert("image", ImageMode.GREY))
                .withColumn("name", concat("more/", col("id").cast(DataType.UTF8)))
                .writeImages(
                        out(),
                        "image",
                        WriteImages.of(ImageEncoding.losslessWebp()).namedBy("name"));
        named.withColumn("image", Images.convert("image", ImageMode.RGBA))
                .limit(1)
                .writeImages(out(), "image", WriteImages.png().names(part -> "alpha." + part.extension()));
        assertThat(Python.environment("images")
                        .run(WriteImagesTest.class, "check_written.py", out())
                        .lines())
                .containsExactly(
                        "alpha.png PNG RGBA (8, 6) 0",
                        "even0/0.jpg JPEG RGB (8, 6) 0",
                        "even0/2.jpg JPEG RGB (8, 6) 2",
                        "even1/1.jpg JPEG RGB (8, 6) 1",
                        "more/0.webp WEBP RGB (8, 6) 0",
                        "more/1.webp WEBP RGB (8, 6) 1",
                        "more/2.webp WEBP RGB (8, 6) 2",
                        "more/3.webp WEBP RGB (8, 6) 3",
                        "three.jpg JPEG RGB (8, 6) 3");
    }

    @Test
    void whatIsThereIsReplacedOrKeptAsTheModeSays() throws IOException {
        numbered(5, 1).writeImages(out(), "image");
        numbered(2, 1).writeImages(out(), "image");
        assertThat(files()).hasSize(7);
        numbered(3, 1).writeImages(out(), "image", WriteImages.jpeg().overwrite());
        assertThat(files()).hasSize(3).allMatch(name -> name.endsWith(".jpg"));
        assertThatThrownBy(() -> numbered(3, 1)
                        .writeImages(out(), "image", WriteImages.png().errorIfExists()))
                .hasMessageContaining("is there already");
        assertThat(numbered(0, 1)
                        .writeImages(folder.resolve("none").toString(), "image")
                        .files())
                .isEmpty();
    }

    @Test
    void whatCannotBeWrittenIsSaid() throws IOException {
        assertThatThrownBy(() -> session.range(3).writeImages(out(), "id"))
                .hasMessageContaining("takes images, which are tensors of uint8")
                .hasMessageContaining("int64");
        assertThatThrownBy(() -> numbered(3, 1)
                        .withColumn("image", Images.convert("image", ImageMode.RGBA))
                        .writeImages(out(), "image", WriteImages.jpeg()))
                .hasMessageContaining("JPEG has no transparency");
        assertThatThrownBy(() -> numbered(3, 1)
                        .writeImages(out(), "image", WriteImages.png().namedBy("id")))
                .hasMessageContaining("files are named by text, and column 'id' is of type int64");
        assertThatThrownBy(() -> numbered(3, 1)
                        .withColumn("name", Expressions.lit("same"))
                        .writeImages(out(), "image", WriteImages.png().namedBy("name")))
                .hasMessageContaining("'same.png' came twice");
        assertThatThrownBy(() -> numbered(3, 1)
                        .withColumn("name", Expressions.lit("../up"))
                        .writeImages(out(), "image", WriteImages.png().namedBy("name")))
                .hasMessageContaining("is no name for a file");
        assertThat(Files.exists(Path.of(out())) ? files() : List.of()).isEmpty();
    }
}

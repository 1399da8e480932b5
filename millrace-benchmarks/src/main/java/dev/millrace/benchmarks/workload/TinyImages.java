package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.column.TensorBuilder;
import dev.millrace.images.Images;
import dev.millrace.images.options.ImageEncoding;
import dev.millrace.sink.WriteOptions;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/// The input of `tiny-images`: archives of PNG files, each 32 x 32 pixels and about 2 KB, below DIR/tiny-images. A
/// tenth of the archives is generated, the others are copies under other names, so that a million images take 0.3 GB.
final class TinyImages {
    static final int SIDE = 32;
    private static final int DISTINCT = 100_000;
    private static final int PER_ARCHIVE = 10_000;
    private static final int NAMES = 10;

    private TinyImages() {}

    /// The archives, created on first use.
    static List<Path> archives(BenchSettings settings) throws IOException, BenchFailure {
        if (settings.data() == null) {
            throw new BenchFailure("This workload makes its images in DIR/tiny-images: give --data DIR.");
        }
        Path folder = settings.data().resolve("tiny-images");
        if (!Files.exists(folder.resolve("complete"))) {
            make(folder);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".tar"))
                    .sorted()
                    .toList();
        }
    }

    private static void make(Path folder) throws IOException {
        Path first = folder.resolve("0");
        try (Session session = Sessions.quiet()) {
            session.range(DISTINCT, DISTINCT / PER_ARCHIVE)
                    .mapBatches(TinyImages::draw)
                    .withColumn("png", Images.encode("image", ImageEncoding.png()))
                    .select("__key__", "png")
                    .writeWebDataset(
                            first.toString(),
                            WriteOptions.defaults().overwrite().maxRowsPerFile(PER_ARCHIVE));
        }
        List<Path> made;
        try (Stream<Path> files = Files.list(first)) {
            made = files.filter(file -> file.toString().endsWith(".tar")).toList();
        }
        for (int name = 1; name < NAMES; name++) {
            Path copies = Files.createDirectories(folder.resolve(Integer.toString(name)));
            for (Path file : made) {
                Path copy = copies.resolve(file.getFileName());
                Files.deleteIfExists(copy);
                Files.createLink(copy, file);
            }
        }
        Files.createFile(folder.resolve("complete"));
    }

    /// Waves and some noise, so that the images compress like small photographs.
    private static Batch draw(Batch ids) {
        TensorBuilder images = (TensorBuilder) ids.newColumn(DataType.tensor(DataType.UINT8, SIDE, SIDE, 3));
        String[] keys = new String[Math.toIntExact(ids.rows())];
        byte[] pixels = new byte[SIDE * SIDE * 3];
        for (int row = 0; row < keys.length; row++) {
            long id = ids.longs("id").get(row);
            Random random = new Random(id);
            double across = 0.05 + random.nextDouble() * 0.4;
            double down = 0.05 + random.nextDouble() * 0.4;
            for (int i = 0; i < pixels.length; i++) {
                int x = i / 3 % SIDE;
                int y = i / 3 / SIDE;
                double wave = 128 + 90 * Math.sin(across * x + i % 3) * Math.cos(down * y);
                pixels[i] = (byte) Math.clamp((long) (wave + random.nextInt(24)), 0, 255);
            }
            images.append(pixels);
            keys[row] = String.format(Locale.ROOT, "%06d", id);
        }
        return ids.none().with("__key__", keys).with("image", images);
    }
}

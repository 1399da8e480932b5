package dev.millrace.benchmarks.python;

import dev.millrace.Session;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.images.ImageNetPreprocess;
import dev.millrace.python.PythonFeed;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/// Training ingest: photographs as batches of tensors in a PyTorch loop, by a pipeline and by torch's DataLoader with
/// two workers, in turns on the same files.
final class IngestBench {
    private static final int DISTINCT = 16;
    private static final int ROUNDS = 3;

    private IngestBench() {}

    static void run(int images, String python, PrintWriter out) throws Exception {
        Path folder = Files.createTempDirectory("millrace-ingest");
        try {
            photographs(folder, images);
            Path script = BenchPython.script(folder, "ingest.py");
            try (Session session = Session.open();
                    PythonFeed.Running feed = PythonFeed.of(
                                    session.readImages(folder + "/*.jpg").mapBatches(ImageNetPreprocess.standard()))
                            .open(folder.resolve("feed").toString())) {
                print(measured(python, script, feed.address(), folder), out);
            }
        } finally {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    private static List<String> measured(String python, Path script, String address, Path folder)
            throws IOException, InterruptedException, BenchFailure {
        List<String> command = List.of(
                python,
                script.toString(),
                BenchPython.packageFolder(),
                address,
                folder.toString(),
                String.valueOf(ROUNDS));
        return BenchPython.printed(command, "the training loop").lines().toList();
    }

    private static void print(List<String> rounds, PrintWriter out) {
        double loader = 0;
        double pipeline = 0;
        for (String round : rounds) {
            String[] words = round.split(" ", -1);
            loader = Math.max(loader, Double.parseDouble(words[0]));
            pipeline = Math.max(pipeline, Double.parseDouble(words[1]));
        }
        out.printf(Locale.ROOT, "%-52s %8.0f images/s%n", "torch's DataLoader, 2 workers, Pillow", loader);
        out.printf(
                Locale.ROOT,
                "%-52s %8.0f images/s, %.2f times%n",
                "a pipeline through millrace.torch",
                pipeline,
                pipeline / loader);
        out.flush();
    }

    /// 500 x 375, with coarse and fine structure: about 60 KB each.
    static void photographs(Path folder, int count) throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < count; i++) {
            Path file = folder.resolve(String.format(Locale.ROOT, "%05d.jpg", i));
            if (i >= DISTINCT) {
                Files.copy(folder.resolve(String.format(Locale.ROOT, "%05d.jpg", i % DISTINCT)), file);
                continue;
            }
            BufferedImage image = new BufferedImage(500, 375, BufferedImage.TYPE_INT_RGB);
            for (int y = 0; y < 375; y++) {
                for (int x = 0; x < 500; x++) {
                    int noise = random.nextInt(24);
                    int red = (int) (100 + 90 * Math.sin((x + 40 * i) / 37.0)) + noise;
                    int green = (int) (100 + 90 * Math.sin((x + y) / 23.0)) + noise;
                    int blue = (int) (100 + 90 * Math.cos(y / 51.0)) + noise;
                    image.setRGB(x, y, red << 16 | green << 8 | blue);
                }
            }
            ImageIO.write(image, "jpg", file.toFile());
        }
    }
}

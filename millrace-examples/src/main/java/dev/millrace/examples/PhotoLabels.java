package dev.millrace.examples;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.images.options.ReadImages;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteSummary;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The main job, end to end: images are classified, their labels written as Parquet, read back and shown.
public final class PhotoLabels {
    private static final int SHOWN = 20;

    private PhotoLabels() {}

    /// The result of one run.
    ///
    /// @param labels the dataset that was written, with its stats
    /// @param images the number of labelled images
    /// @param unreadable the number of files that are not images
    public record Result(Dataset labels, long images, long unreadable) {}

    /// Classifies the images into a folder of Parquet files with `path`, `label` and `score`, and prints the first of
    /// them as a table, and the files that could not be read with the reason. Labels of an earlier run are replaced.
    public static Result run(Session session, Classification job, List<String> images, String folder, PrintStream out) {
        Dataset labels = job.over(session, images).named("labels");
        WriteSummary written =
                labels.writeParquet(folder, WriteOptions.defaults().overwrite());
        if (written.rows() > 0) {
            out.println(table(session, folder));
        }
        double seconds = labels.lastRun().orElseThrow().elapsedNanos() / 1e9;
        out.printf(
                Locale.ROOT,
                "%,d images in %.1f s: %.1f images/s.%n",
                written.rows(),
                seconds,
                written.rows() / seconds);
        return new Result(labels, written.rows(), unreadable(labels, out));
    }

    private static long unreadable(Dataset labels, PrintStream out) {
        try (MaterializedDataset letters = labels.deadLetters()) {
            long count = letters.count();
            if (count > 0) {
                out.println(
                        count == 1
                                ? "One file could not be read:"
                                : String.format(Locale.ROOT, "%,d files could not be read:", count));
                letters.take(SHOWN).forEach(letter -> out.println("  " + letter.getString("message")));
            }
            return count;
        }
    }

    /// The first labels, with file names instead of whole paths.
    private static String table(Session session, String folder) {
        return session.readParquet(folder)
                .select(
                        col("path").regexReplace(".*/", "").as("file"),
                        col("label"),
                        col("score").round(3).as("score"))
                .showString(SHOWN);
    }

    /// Draws the first photographs of a folder of labels on one page.
    public static void contactSheet(Session session, String folder, int most, Path file) throws IOException {
        List<Row> labels = session.readParquet(folder).take(most);
        List<String> paths = labels.stream().map(row -> row.getString("path")).toList();
        List<Tensor> images = session.readImages(paths, ReadImages.rgb()).takeAll().stream()
                .map(row -> (Tensor) row.get("image"))
                .toList();
        List<ContactSheet.Photo> photos = new ArrayList<>();
        for (int i = 0; i < images.size(); i++) {
            Row row = labels.get(i);
            String name = paths.get(i).substring(paths.get(i).lastIndexOf('/') + 1);
            String text = String.format(Locale.ROOT, "%s %.2f", row.getString("label"), row.getFloat("score"));
            photos.add(new ContactSheet.Photo(images.get(i), name, text));
        }
        if (file.getParent() != null) {
            Files.createDirectories(file.getParent());
        }
        ContactSheet.write(photos, file);
    }
}

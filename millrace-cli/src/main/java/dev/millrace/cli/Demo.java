package dev.millrace.cli;

import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.examples.Classification;
import dev.millrace.examples.ExampleFiles;
import dev.millrace.examples.PhotoLabels;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Demonstrates the main job.
@Command(
        name = "demo",
        description = "Classifies eight photographs with EfficientNet-Lite0: labels, a contact sheet, Parquet, stats.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  millrace demo",
            "  millrace demo --out /tmp/demo",
        })
final class Demo implements Runnable {
    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = "build/demo",
            description = "where photographs, labels and contact sheet go (default: build/demo)")
    @SuppressWarnings("NullAway.Init")
    private Path out;

    @Override
    public void run() {
        // The job is short, so progress is shown from the start.
        ProgressSettings progress =
                new ProgressSettings(ProgressSettings.Mode.AUTO, Duration.ZERO, Duration.ofSeconds(1));
        try (Session session = Session.open(Settings.DEFAULT.with(progress))) {
            ExampleFiles files = ExampleFiles.unpack(out);
            Path labels = out.resolve("labels");
            Path sheet = out.resolve("contact-sheet.jpg");
            System.out.println("Classifying the photographs in " + files.photos() + " with "
                    + files.model().getFileName() + ":");
            PhotoLabels.Result result = PhotoLabels.run(
                    session,
                    Classification.efficientNet(files),
                    List.of(files.photos().toString()),
                    labels.toString(),
                    System.out);
            PhotoLabels.contactSheet(session, labels.toString(), 24, sheet);
            System.out.println();
            System.out.println("Labels as Parquet: " + labels);
            System.out.println("Contact sheet:     " + sheet);
            System.out.println();
            System.out.print(result.labels().stats());
            System.out.println();
            System.out.println("Your own images: ./millrace classify IMAGES OUT");
        } catch (IOException failure) {
            throw MillraceException.user("The demo could not write into '" + out + "': " + failure.getMessage()
                    + ". Choose another folder with --out.");
        }
    }
}

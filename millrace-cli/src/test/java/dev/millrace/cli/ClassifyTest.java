package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.examples.ExampleFiles;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ClassifyTest {
    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();
    private String out = "";

    @Test
    void theDemoShowsLabelsParquetContactSheetAndStats() {
        assertThat(run("demo", "--out", folder.toString())).isZero();
        assertThat(out)
                .contains("espresso.jpg", "Egyptian cat", "8 images in", "Contact sheet:")
                .contains("preprocess", "classify");
        assertThat(folder.resolve("contact-sheet.jpg")).isNotEmptyFile();
        assertThat(rows(folder.resolve("labels"))).isEqualTo(8);
    }

    @Test
    void aUsersOwnImagesAreClassifiedByTheUsersOwnModel() throws Exception {
        ExampleFiles files = ExampleFiles.unpack(folder.resolve("files"));
        Path labels = folder.resolve("labels");
        Path sheet = folder.resolve("sheet.png");
        int status = run(
                "classify",
                files.photos().resolve("*.jpg").toString(),
                labels.toString(),
                "--model=" + files.model(),
                "--labels=" + files.labels(),
                "--mean=0.498,0.498,0.498",
                "--std=0.502,0.502,0.502",
                "--batch-size=3",
                "--actors=2",
                "--contact-sheet=" + sheet,
                "--stats");
        assertThat(status).as(err.toString()).isZero();
        assertThat(out).contains("0.95", "8 images in", "Labels: " + labels, "classify");
        assertThat(sheet).isNotEmptyFile();
        assertThat(rows(labels)).isEqualTo(8);
    }

    @Test
    void mistakesAreAnsweredWithASentence() throws Exception {
        ExampleFiles files = ExampleFiles.unpack(folder.resolve("files"));
        String photos = files.photos().toString();
        String labels = folder.resolve("labels").toString();
        assertThat(run("classify", folder.resolve("nowhere").toString(), labels))
                .isEqualTo(1);
        assertThat(run("classify", photos, labels, "--model=" + files.labels())).isEqualTo(1);
        assertThat(run("classify", photos, labels, "--mean=0.5")).isEqualTo(1);
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThat(run("classify", empty.toString(), labels)).isEqualTo(1);
        assertThat(err.toString())
                .contains("nowhere")
                .contains("imagenet-labels.txt")
                .contains("--mean takes three numbers, for red, green and blue, not 1.")
                .doesNotContain("\tat ");
    }

    private static long rows(Path labels) {
        try (Session session = Session.open()) {
            return session.readParquet(labels.toString()).count();
        }
    }

    private int run(String... args) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            CommandLine commandLine = Main.commandLine();
            commandLine.setErr(new PrintWriter(err, true));
            return commandLine.execute(args);
        } finally {
            System.setOut(before);
            out = printed.toString(StandardCharsets.UTF_8);
        }
    }
}

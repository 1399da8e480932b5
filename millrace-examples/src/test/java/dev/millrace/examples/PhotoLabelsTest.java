package dev.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhotoLabelsTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void thePhotographsGetTheLabelsAndScoresThatPilAndOnnxruntimeGive() throws Exception {
        ExampleFiles files = ExampleFiles.unpack(folder);
        try (Session session = Session.open()) {
            PhotoLabels.Result result = classify(session, files);
            assertThat(result.images()).isEqualTo(8);
            assertThat(result.unreadable()).isZero();
            Map<String, Row> labels = labels(session);
            List<Row> expected = session.readCsv(files.expected().toString()).takeAll();
            assertThat(expected).hasSize(8);
            for (Row row : expected) {
                Row label = labels.get(row.getString("file"));
                assertThat(label.getString("label")).as(row.getString("file")).isEqualTo(row.getString("label"));
                assertThat((double) label.getFloat("score"))
                        .as(row.getString("file"))
                        .isEqualTo(row.getDouble("score"), within(0.02));
            }
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("espresso.jpg", "8 images in");
    }

    @Test
    void aFileThatIsNoImageIsNamedAndTheOthersAreLabelled() throws Exception {
        ExampleFiles files = ExampleFiles.unpack(folder);
        Files.writeString(files.photos().resolve("broken.jpg"), "not a photograph");
        try (Session session = Session.open()) {
            PhotoLabels.Result result = classify(session, files);
            assertThat(result.images()).isEqualTo(8);
            assertThat(result.unreadable()).isEqualTo(1);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("One file could not be read:", "broken.jpg");
    }

    @Test
    void theContactSheetShowsAllPhotographs() throws Exception {
        ExampleFiles files = ExampleFiles.unpack(folder);
        Path sheet = folder.resolve("sheet.png");
        try (Session session = Session.open()) {
            classify(session, files);
            PhotoLabels.contactSheet(session, folder.resolve("labels").toString(), 24, sheet);
            Row page = session.readImages(sheet.toString()).takeAll().getFirst();
            // two rows of four cells
            assertThat(page.getTensor("image").shape()).containsExactly(530, 1100, 3);
        }
    }

    private PhotoLabels.Result classify(Session session, ExampleFiles files) {
        return PhotoLabels.run(
                session,
                Classification.efficientNet(files),
                List.of(files.photos().resolve("*.jpg").toString()),
                folder.resolve("labels").toString(),
                new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private Map<String, Row> labels(Session session) {
        Map<String, Row> labels = new HashMap<>();
        for (Row row : session.readParquet(folder.resolve("labels").toString()).takeAll()) {
            labels.put(Path.of(row.getString("path")).getFileName().toString(), row);
        }
        return labels;
    }
}

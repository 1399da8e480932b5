package dev.millrace.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lines of text and records of JSON that are longer than allowed: errors with their place, which a read can go on
/// behind, and what is held of them counts as memory.
class LongRecordsTest {
    private static final String LONG = "x".repeat(3 << 20);

    @TempDir
    Path folder;

    private final Session session = Session.builder()
            .progress(ProgressSettings.OFF)
            .limits(ResourceLimits.DEFAULT.withMemory(32 << 20))
            .open();

    @AfterEach
    void close() {
        session.close();
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static List<Object> texts(List<Row> rows, String column) {
        return rows.stream().map(row -> row.get(column)).toList();
    }

    @Test
    void aLineThatIsTooLongIsAnErrorWithItsPlace() throws IOException {
        String path = file("a.txt", "one\n" + LONG + "\ntwo\n");
        assertThatThrownBy(() -> session.readText(path, ReadText.defaults().maxRecordBytes(1 << 20))
                        .takeAll())
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessageContaining("'" + path + "', line 2, byte 4: a line has more than 1048576 bytes. Is it a file"
                        + " of text? If it is, raise ReadText.maxRecordBytes.");
        assertThat(session.readText(path).takeAll()).hasSize(3);
    }

    @Test
    void theLinesAroundItAreReadWhereErrorsArePassedOver() throws IOException {
        String path = file("a.txt", "one\n" + LONG + "\ntwo\n" + "y".repeat(11) + "\nthree\n" + LONG);
        assertThat(texts(
                        session.readText(path, ReadText.defaults().maxRecordBytes(10))
                                .onReadError(ErrorPolicy.skip())
                                .takeAll(),
                        "text"))
                .containsExactly("one", "two", "three");
    }

    @Test
    void partsOfAFileHaveTheSameLinesWhereverTheyAreCut() throws IOException {
        String path = file("a.txt", "one\n" + LONG + "\ntwo\n" + LONG + "\nthree\n");
        try (Session small = Session.builder()
                .progress(ProgressSettings.OFF)
                .blocks(BlockSettings.DEFAULT.withMinBytes(1 << 18).withTargetBytes(1 << 19))
                .open()) {
            assertThat(texts(
                            small.readText(path, ReadText.defaults().maxRecordBytes(1000))
                                    .onReadError(ErrorPolicy.skip())
                                    .takeAll(),
                            "text"))
                    .containsExactly("one", "two", "three");
        }
    }

    @Test
    void aRecordOfJsonThatIsTooLongIsAnErrorWithItsPlace() throws IOException {
        String path = file("a.jsonl", "{\"a\": \"one\"}\n{\"a\": \"" + LONG + "\"}\n{\"a\": \"two\"}\n");
        ReadJson options = ReadJson.defaults().maxRecordBytes(1 << 20);
        assertThatThrownBy(() -> session.readJson(path, options).takeAll())
                .hasMessageContaining("'" + path + "', line 2, byte 13: a record has more than 1048576 bytes. Perhaps a"
                        + " quote or bracket is opened and never closed; if not, raise ReadJson.maxRecordBytes.");
        assertThat(texts(
                        session.readJson(path, options.lines())
                                .onReadError(ErrorPolicy.skip())
                                .takeAll(),
                        "a"))
                .containsExactly("one", "two");
        assertThat(session.readJson(path).takeAll()).hasSize(3);
    }

    @Test
    void anElementOfAnArrayOfJsonThatIsTooLongEndsTheFile() throws IOException {
        String path = file("a.json", "[{\"a\": \"one\"}, {\"a\": \"" + LONG + "\"}, {\"a\": \"two\"}]");
        ReadJson options = ReadJson.defaults().maxRecordBytes(1 << 20);
        assertThatThrownBy(() -> session.readJson(path, options).takeAll())
                .hasMessageContaining("a record has more than 1048576 bytes");
        assertThat(texts(
                        session.readJson(path, options)
                                .onReadError(ErrorPolicy.skip())
                                .takeAll(),
                        "a"))
                .containsExactly("one");
    }

    @Test
    void whatIsHeldOfALongRecordCountsAsMemory() throws IOException {
        String path = file("a.txt", LONG.repeat(8));
        String json = file("a.json", "{\"a\": \"" + LONG.repeat(8) + "\"}");
        for (Runnable read : List.<Runnable>of(
                () -> session.readText(path, ReadText.defaults().maxRecordBytes(1 << 29))
                        .takeAll(),
                () -> session.readJson(json, ReadJson.defaults().maxRecordBytes(1 << 29))
                        .takeAll())) {
            assertThatThrownBy(read::run)
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageContaining(" has a value that is too large for the memory of this session: ");
        }
    }

    @Test
    void theLongestRecordHasBounds() {
        assertThatThrownBy(() -> ReadText.defaults().maxRecordBytes(0))
                .hasMessage("ReadText.maxRecordBytes: a record has 1 to 536870912 bytes, not 0.");
        assertThatThrownBy(() -> ReadJson.defaults().maxRecordBytes(1 << 30))
                .hasMessage("ReadJson.maxRecordBytes: a record has 1 to 536870912 bytes, not 1073741824.");
    }
}

package dev.millrace.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteJson;
import dev.millrace.sink.WriteOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Formats under their names.
class FormatsTest {
    @TempDir
    Path folder;

    private static Session open() {
        return Session.builder().progress(ProgressSettings.OFF).open();
    }

    @ParameterizedTest
    @ValueSource(strings = {"arrow", "avro", "csv", "JSON", "tfrecord"})
    void whatIsWrittenUnderANameIsReadUnderIt(String format) {
        try (Session session = open()) {
            String out = folder.resolve("out").toString();
            session.range(1_000, 3).write(format, out, WriteOptions.defaults(), null);
            List<Row> back = session.read(format, List.of(out), null).takeAll();
            assertThat(back.stream().map(row -> row.get("id")))
                    .containsExactlyElementsOf(
                            LongStream.range(0, 1_000).boxed().toList());
        }
    }

    @Test
    void namesAndOptionsThatDoNotFitAreTold() {
        try (Session session = open()) {
            session.range(10).writeCsv(folder.resolve("out").toString());
            String out = folder.resolve("out").toString();
            assertThatThrownBy(() -> session.read("csv", List.of(out), ReadJson.defaults()))
                    .hasMessage("The options of 'csv' are a ReadCsv, not a ReadJson.");
            assertThatThrownBy(() -> session.range(3).write("arrow", out, WriteOptions.defaults(), WriteJson.lines()))
                    .hasMessage("The options of 'arrow' are a WriteArrow, not a WriteJson.");
            assertThatThrownBy(() -> session.range(3).write("text", out, WriteOptions.defaults(), WriteJson.lines()))
                    .hasMessage(
                            "The format 'text' is written without options of its own, not with a WriteJson. Give null.");
            assertThatThrownBy(() -> session.read("orc", List.of(out), null))
                    .hasMessageStartingWith("There is no format 'orc'. The formats on the class path are [");
            assertThatThrownBy(() -> session.read("parquet", List.of(out), null))
                    .hasMessage(
                            "Reading parquet needs the artifact dev.millrace:millrace-parquet on the class path. Add it.");
            assertThatThrownBy(() -> session.readImages(out))
                    .hasMessage(
                            "Reading images needs the artifact dev.millrace:millrace-images on the class path. Add it.");
            assertThatThrownBy(() -> session.sql("SELECT id FROM numbers", "numbers", session.range(3)))
                    .hasMessage("SQL needs the artifact dev.millrace:millrace-sql on the class path. Add it.");
            assertThatThrownBy(() -> session.range(3)
                            .write("binary", folder.resolve("b").toString(), WriteOptions.defaults(), null))
                    .hasMessage("The format 'binary' can be read, but not written.");
        }
    }
}

package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.settings.ProgressSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which files are read, in which order, and what becomes of broken ones.
class FileChoiceTest {
    @TempDir
    Path folder;

    private Session session;

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
        for (int i = 0; i < 30; i++) {
            DuckDbFiles.write(folder.resolve("%02d.parquet".formatted(i)), "SELECT " + i + "::BIGINT AS id");
        }
    }

    @AfterEach
    void close() {
        session.close();
    }

    private static List<Long> ids(Dataset dataset) {
        return dataset.takeAll().stream().map((Row row) -> row.getLong("id")).toList();
    }

    @Test
    void aSeedDecidesTheOrderOfTheFiles() {
        ReadParquet shuffled = ReadParquet.defaults().shuffleFiles(7);
        List<Long> ids = ids(session.readParquet(folder.toString(), shuffled));
        assertThat(ids).isNotEqualTo(LongStream.range(0, 30).boxed().toList());
        assertThat(ids)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 30).boxed().toList());
        assertThat(ids(session.readParquet(folder.toString(), shuffled))).isEqualTo(ids);
        assertThat(ids(session.readParquet(
                        folder.toString(), ReadParquet.defaults().shuffleFiles(8))))
                .isNotEqualTo(ids);
    }

    @Test
    void missingPathsMayBeLeftOutAsLongAsOneIsThere() {
        List<String> paths = List.of(folder + "/03.parquet", folder + "/none.parquet", folder + "/no-*.parquet");
        assertThatThrownBy(() -> session.readParquet(paths, ReadParquet.defaults()))
                .hasMessageContaining("there is no '" + folder + "/none.parquet'");
        assertThat(ids(session.readParquet(paths, ReadParquet.defaults().ignoreMissingPaths())))
                .containsExactly(3L);
        assertThatThrownBy(() -> session.readParquet(
                        List.of(folder + "/none"), ReadParquet.defaults().ignoreMissingPaths()))
                .hasMessageContaining("None of the paths is there");
    }

    @Test
    void brokenFilesAreSkippedAloneAndNamed() throws IOException {
        List<Integer> broken = List.of(0, 11, 12, 29);
        for (int i : broken) {
            Path file = folder.resolve("%02d.parquet".formatted(i));
            byte[] bytes = Files.readAllBytes(file);
            if (i == 12) {
                // The page header of the only column.
                bytes[4] = 0x7F;
                Files.write(file, bytes);
            } else {
                Files.write(file, java.util.Arrays.copyOf(bytes, i == 0 ? 3 : bytes.length - 5));
            }
        }
        List<Long> good = new ArrayList<>(LongStream.range(0, 30).boxed().toList());
        broken.forEach(i -> good.remove((Long) (long) i));
        Dataset all = session.readParquet(folder.toString());
        assertThatThrownBy(all::takeAll).hasMessageMatching("(?s).*(00|11|12|29).parquet' cannot be read.*");
        Dataset skipping = all.onReadError(ErrorPolicy.skip());
        assertThat(ids(skipping)).isEqualTo(good);
        assertThat(skipping.stats().toString()).contains("skipped rows  4");
        Dataset kept = all.onReadError(ErrorPolicy.deadLetter("files"));
        assertThat(ids(kept.filter(col("id").ge(5L)))).isEqualTo(good.subList(4, good.size()));
        List<String> letters = session.deadLetters("files").takeAll().stream()
                .map(row -> row.getString("message"))
                .sorted()
                .toList();
        assertThat(letters).hasSize(4);
        IntStream.range(0, 4)
                .forEach(i ->
                        assertThat(letters.get(i)).contains("%02d.parquet' cannot be read".formatted(broken.get(i))));
    }
}

package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.files.FileSource;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.csv.CsvFormat;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadCsv;
import dev.millrace.testing.LoopbackRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Errors name the file and the rows, in the task that reads and in the one behind it.
class ErrorPlacesTest {
    enum On {
        EMBEDDED(account -> new EmbeddedRuntime(Resources.cpus(2))),
        LOOPBACK(account -> new LoopbackRuntime(account, Resources.cpus(2)));

        private final Function<Allocator, Runtime> runtime;

        On(Function<Allocator, Runtime> runtime) {
            this.runtime = runtime;
        }

        Session session() {
            return Session.builder()
                    .progress(ProgressSettings.OFF)
                    .runtime(runtime)
                    .open();
        }
    }

    @TempDir
    private Path folder;

    private void file(String name, long from, long to) throws IOException {
        StringBuilder text = new StringBuilder("id\n");
        for (long i = from; i < to; i++) {
            text.append(i).append('\n');
        }
        Files.writeString(folder.resolve(name), text);
    }

    /// All files in one split.
    private Dataset read(Session session) {
        return session.read(
                FileSource.of(List.of(folder.toString()), new CsvFormat(ReadCsv.defaults()), FileReads.defaults()), 1);
    }

    private static Batch no(Batch batch, long id) {
        for (long i = 0; i < batch.rows(); i++) {
            if (batch.longs("id").get(i) == id) {
                throw new IllegalStateException("no " + id);
            }
        }
        return batch;
    }

    private static final class Refusing implements BatchFunction {
        @Override
        public Batch apply(Batch batch) {
            return no(batch, 1234);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anActorsErrorNamesTheFileThatItsRowsCameFrom(On on) throws IOException {
        file("a.csv", 0, 5000);
        try (Session session = on.session()) {
            Dataset rows =
                    read(session).mapBatches(Refusing::new, Compute.actors(1).batchSize(100));
            assertThatThrownBy(rows::takeAll)
                    .hasMessageContaining("a.csv, rows 1200-1299: IllegalStateException: no 1234");
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowsAreCountedInWhatTheStepsOfTheReadMade(On on) throws IOException {
        file("a.csv", 0, 5000);
        try (Session session = on.session()) {
            Dataset rows = read(session)
                    .filter(col("id").ge(1000))
                    .mapBatches(Refusing::new, Compute.actors(1).batchSize(100));
            assertThatThrownBy(rows::takeAll)
                    .hasMessageContaining("a.csv, rows 200-299: IllegalStateException: no 1234")
                    .hasMessageContaining("made of ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofSeveralFilesInASplitTheOneIsNamed(On on) throws IOException {
        file("a.csv", 0, 100);
        file("b.csv", 100, 200);
        try (Session session = on.session()) {
            Dataset behind = read(session)
                    .mapBatches(batch -> no(batch, 150), Compute.tasks().batchSize(10));
            assertThatThrownBy(behind::takeAll)
                    .hasMessageContaining("b.csv, rows 50-59: IllegalStateException: no 150");
            Dataset kept = read(session)
                    .map(
                            row -> {
                                if (row.getLong("id") == 177) {
                                    throw new IllegalStateException("no 177");
                                }
                                return row;
                            },
                            Compute.tasks().onError(ErrorPolicy.deadLetter("lost")));
            assertThat(kept.takeAll()).hasSize(199);
            assertThat(kept.deadLetters().takeAll()).singleElement().satisfies(letter -> {
                assertThat(letter.getString("origin")).endsWith("b.csv");
                assertThat(letter.getLong("row")).isEqualTo(77);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void behindAReadOfSeveralFilesTheOneIsNamed(On on) throws IOException {
        file("a.csv", 0, 95);
        file("b.csv", 95, 200);
        file("c.csv", 200, 2000);
        try (Session session = on.session()) {
            Dataset twice = read(session).withColumn("twice", col("id").times(2));
            Dataset inOneFile =
                    twice.mapBatches(Refusing::new, Compute.actors(1).batchSize(10));
            assertThatThrownBy(inOneFile::takeAll)
                    .hasMessageContaining("c.csv, rows 1030-1039: IllegalStateException: no 1234");
            Dataset acrossTwo = twice.mapBatches(
                    () -> batch -> no(batch, 96), Compute.actors(1).batchSize(10));
            assertThatThrownBy(acrossTwo::takeAll)
                    .hasMessageContaining("a.csv, row 90 to ")
                    .hasMessageContaining("b.csv, row 4: IllegalStateException: no 96");
            Dataset kept = twice.map(
                    () -> row -> {
                        no(row, 177);
                        return row;
                    },
                    Compute.actors(1).onError(ErrorPolicy.deadLetter("lost")));
            assertThat(kept.takeAll()).hasSize(1999);
            assertThat(kept.deadLetters().takeAll()).singleElement().satisfies(letter -> {
                assertThat(letter.getString("origin")).endsWith("b.csv");
                assertThat(letter.getLong("row")).isEqualTo(82);
            });
        }
    }

    private static void no(Row row, long id) {
        if (row.getLong("id") == id) {
            throw new IllegalStateException("no " + id);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenFileOfSeveralIsTheOriginOfItsLetter(On on) throws IOException {
        file("a.csv", 0, 100);
        Files.writeString(folder.resolve("b.csv"), "id\n1\n2\n\"3\n");
        try (Session session = on.session()) {
            Dataset kept =
                    read(session).onReadError(ErrorPolicy.deadLetter("lost")).filter(_ -> true);
            assertThat(kept.takeAll()).hasSize(102);
            List<Row> letters = kept.deadLetters().takeAll();
            assertThat(letters)
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.getString("origin")).endsWith("b.csv"));
        }
    }
}

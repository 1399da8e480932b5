package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ResultFileTest {
    @TempDir
    private Path folder;

    /// The second begins after the first has opened its file, and ends before it.
    @Test
    void twoThatWriteOneFileAtOnceEachWriteAWholeOne() throws IOException {
        Path file = folder.resolve("rows.csv");
        try (Session session = Session.open()) {
            Dataset second = session.range(2);
            Dataset first = session.range(5, 1).filter(row -> {
                try {
                    return ResultFile.write(session, second, "csv", file) == 2;
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(ResultFile.write(session, first, "csv", file)).isEqualTo(5);
        }
        assertThat(file).hasContent("id\n0\n1\n2\n3\n4\n");
        assertThat(names()).containsExactly("rows.csv");
    }

    @Test
    void whatFailsLeavesTheFileThatWasThereAndNothingBesideIt() throws IOException {
        Path file = folder.resolve("rows.csv");
        try (Session session = Session.open()) {
            ResultFile.write(session, session.range(2), "csv", file);
            Dataset failing = session.range(5, 1).filter(row -> 1 / (row.getLong("id") - 3) < 2);
            assertThatThrownBy(() -> ResultFile.write(session, failing, "csv", file))
                    .isInstanceOf(MillraceException.class);
        }
        assertThat(file).hasContent("id\n0\n1\n");
        assertThat(names()).containsExactly("rows.csv");
    }

    private Stream<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }
}

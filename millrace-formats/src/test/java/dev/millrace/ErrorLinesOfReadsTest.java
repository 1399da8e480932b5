package dev.millrace;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.ReadCsv;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErrorLinesOfReadsTest {
    @Test
    void aReadIsNamedWithItsLine(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a.csv"), "id\n1\n2\n");
        Files.writeString(folder.resolve("b.csv"), "id\nx\n");
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset rows = session.readCsv(folder.toString(), ReadCsv.defaults().column("id", DataType.INT64));
            assertThatThrownBy(rows::takeAll)
                    .hasMessageContaining("b.csv")
                    .hasMessageMatching("(?s).*\\(read at ErrorLinesOfReadsTest:\\d+\\)$");
        }
    }
}

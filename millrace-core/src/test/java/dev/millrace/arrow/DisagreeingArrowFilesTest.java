package dev.millrace.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DisagreeingArrowFilesTest {
    @TempDir
    Path folder;

    @Test
    void aColumnOfAnotherTypeThanInTheFirstFileIsADataErrorThatNamesBoth() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            String numbers = folder.resolve("a").toString();
            String texts = folder.resolve("b").toString();
            session.range(10, 1).writeArrow(numbers);
            session.range(10, 1).map(row -> row.with("id", "x")).writeArrow(texts);
            assertThatThrownBy(() -> session.readArrow(numbers, texts).takeAll())
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageMatching(
                            "(?s).*Column 'id' is utf8 in .*/b/[^ ]*, and int64 in the files looked at for the schema\\."
                                    + " Read the files apart, give the column one type, and put them together with union\\..*");
        }
    }
}

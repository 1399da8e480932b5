package dev.millrace.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LocalStorageTest {
    @Test
    void whatCannotBeAPathIsToldInASentence() {
        assertThatThrownBy(() -> LocalStorage.path("a\0b"))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessage("'a\0b' cannot be the name of a file: Nul character not allowed.");
        assertThat(LocalStorage.path("file:///data/a%20b")).isEqualTo(Path.of("/data/a b"));
    }

    @Test
    void aNameThatTheLocaleCannotWriteIsToldWithTheRemedy() {
        assertThat(LocalStorage.invalid(
                        new InvalidPathException("zone=é", "Malformed input or input contains unmappable characters"),
                        "ANSI_X3.4-1968"))
                .hasMessage("'zone=é' cannot be the name of a file: Malformed input or input contains unmappable"
                        + " characters. The locale of this process gives names of files in ANSI_X3.4-1968; run it with"
                        + " one of UTF-8, for example LC_ALL=C.UTF-8.");
    }
}

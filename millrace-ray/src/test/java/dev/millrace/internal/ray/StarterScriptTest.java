package dev.millrace.internal.ray;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Python;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StarterScriptTest {
    @Test
    void aNodeKeepsCopiesOfWhatItDoesNotSeeInAFolderOfItsOwn(@TempDir Path folder) throws Exception {
        Path script = folder.resolve("ray_starter.py");
        try (InputStream in = Objects.requireNonNull(RayStarter.class.getResourceAsStream("ray_starter.py"))) {
            Files.copy(in, script);
        }
        Path empty = Files.createDirectory(folder.resolve("node"));
        String found = Python.environment("test")
                .run(StarterScriptTest.class, "class_path_check.py", script.toString(), empty.toString());
        assertThat(found.lines().map(line -> line.replaceAll("classes-[0-9]+", "classes-ID")))
                .containsExactly(
                        "same file: True",
                        "unseen file: None",
                        "copy: a.jar True",
                        "kept: True",
                        "folder: classes.jar ['x/Y.class']",
                        "open folder: others could put code into /tmp/millrace-classes-ID, where it keeps classes; remove"
                                + " that there");
    }
}

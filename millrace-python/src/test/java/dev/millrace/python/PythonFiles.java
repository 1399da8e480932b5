package dev.millrace.python;

import dev.millrace.testing.Python;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Python files of a test, run by the environment of the tests.
record PythonFiles(Path folder) {
    static String interpreter() {
        return Python.environment("test").interpreter().toString();
    }

    /// A class or function of a file `model.py` with this text.
    PythonUdf udf(String source, String name) {
        try {
            Path file = folder.resolve("model.py");
            Files.writeString(file, source);
            return PythonUdf.of(file.toString(), name).python(interpreter());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.millrace.cli;

import dev.millrace.internal.json.JsonWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// JSON for programs that read what a command prints.
final class JsonOutput {
    private JsonOutput() {}

    /// One value on one line.
    static void print(PrintWriter to, @Nullable Object value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value);
        to.println(new String(writer.take(), StandardCharsets.UTF_8));
        to.flush();
    }
}

package dev.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddingsTest {
    @TempDir
    Path folder;

    @Test
    void showsTheNearestOfEachSentence() throws Exception {
        Path texts = Files.write(
                folder.resolve("texts.jsonl"),
                List.of(
                        "{\"id\":1,\"body\":\"How do I reset my password?\"}",
                        "{\"id\":2,\"body\":\"The parcel has not arrived yet.\"}",
                        "{\"id\":3,\"body\":\"I cannot log in any more.\"}",
                        "{\"id\":4,\"body\":\"My delivery is late.\"}"));
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (Session session = Session.open();
                PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8)) {
            Embeddings.run(session, texts.toString(), folder.resolve("out").toString(), "body", out);
            assertThat(session.readParquet(folder.resolve("out").toString()).columns())
                    .containsExactly("id", "body", "embedding");
        }
        assertThat(written.toString(StandardCharsets.UTF_8))
                .containsPattern("How do I reset my password\\?\n  0\\.\\d\\d  I cannot log in any more\\.\n")
                .containsPattern("The parcel has not arrived yet\\.\n  0\\.\\d\\d  My delivery is late\\.\n");
    }
}

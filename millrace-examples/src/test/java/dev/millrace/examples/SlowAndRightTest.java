package dev.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowAndRightTest {
    @TempDir
    Path folder;

    @Test
    void allWaysGiveTheSameLabelsAndTheMistakesAreNamed() throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        List<SlowAndRight.Outcome> outcomes =
                SlowAndRight.run(folder, 16, 1, new PrintStream(text, true, StandardCharsets.UTF_8));

        SlowAndRight.Outcome right = outcomes.getFirst();
        assertThat(right.labels()).hasSize(16).containsEntry("1-cat.jpg", "Egyptian cat");
        assertThat(right.hints()).isEmpty();
        assertThat(outcomes)
                .hasSize(7)
                .allSatisfy(outcome ->
                        assertThat(outcome.labels()).as(outcome.way()).isEqualTo(right.labels()));
        assertThat(outcomes.get(1).hints())
                .anyMatch(hint -> hint.startsWith("OnnxModel is built for each batch (2 times in 2 calls of"));
        assertThat(outcomes.get(2).hints()).anyMatch(hint -> hint.startsWith("Batches of 1 row in 16 calls of"));
        assertThat(outcomes.get(6).hints())
                .anyMatch(hint -> hint.startsWith("The model is built for each batch (16 times in 16 calls of"));
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("16 photographs, EfficientNet-Lite0")
                .contains("as it should be")
                .contains("What stats() and the progress said:");
    }
}

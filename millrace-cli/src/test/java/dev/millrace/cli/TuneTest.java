package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class TuneTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @Test
    void aMissingModelIsOneSentence() {
        assertThat(run("tune", "nowhere/model.onnx")).isEqualTo(1);
        assertThat(err.toString()).startsWith("millrace tune: There is no file 'nowhere/model.onnx'.");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void wordsThatAreNoAmountsAreAnswered() {
        assertThat(run("tune", "model.onnx", "--input-shape", "3,224")).isEqualTo(2);
        assertThat(err.toString()).contains("'3,224' is no shape. Write it as 3x224x224, without the batch.");
    }
}

package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// What is said before anything is started; `RayStarterIT` starts clusters.
class ClusterCommandTest {
    @TempDir
    private Path state;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void withoutAClusterThereIsNothingToShowAndNothingToStop() {
        assertThat(run("status")).isEqualTo(1);
        assertThat(out.toString().strip()).isEqualTo("No cluster was started here. 'millrace cluster up' starts one.");
        assertThat(run("down")).isEqualTo(1);
        assertThat(err.toString().strip())
                .isEqualTo(
                        "millrace cluster down: There is no cluster to stop: none was started here (" + state + ").");
    }

    @Test
    void aClusterOfNoNodesIsRefused() {
        assertThat(run("up", "--nodes", "0")).isEqualTo(2);
        assertThat(err.toString().strip()).isEqualTo("millrace cluster up: --nodes must be from 1 to 200, not 0.");
    }

    @Test
    void aPythonThatIsNotThereIsNamedWithTheCommandThatInstallsRay() {
        assertThat(run("up", "--python", "/no/such/python")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("millrace cluster up: The Python '/no/such/python' has no Ray (")
                .contains("Install it there: /no/such/python -m pip install 'ray[default]==");
    }

    private int run(String subcommand, String... options) {
        CommandLine command =
                Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] line = new String[options.length + 4];
        line[0] = "cluster";
        line[1] = subcommand;
        line[2] = "--state";
        line[3] = state.toString();
        System.arraycopy(options, 0, line, 4, options.length);
        return command.execute(line);
    }
}

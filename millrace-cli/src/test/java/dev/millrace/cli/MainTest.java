package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @Test
    void versionNamesTheReleaseAndTheJava() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString())
                .startsWith("millrace ")
                .contains("(Java " + Runtime.version().feature() + ")");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void withoutASubcommandTheUsageIsShown() {
        assertThat(run()).isZero();
        assertThat(out.toString()).startsWith("Usage: millrace");
    }

    @Test
    void anUnknownSubcommandIsAnsweredWithOneSentenceAndTheNearestNames() {
        assertThat(run("tset")).isEqualTo(2);
        assertThat(err.toString().strip())
                .isEqualTo("millrace: there is no subcommand 'tset'. Did you mean test? "
                        + "'millrace --help' lists them all.");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anUnknownOptionIsAnsweredWithTheNearestNames() {
        assertThat(run("--versoin")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no option '--versoin'. Did you mean --version?");
    }

    @Test
    void nearestLeavesOutWhatIsFar() {
        assertThat(Suggestions.nearest("dmeo", Stream.of("demo", "bench", "format")))
                .containsExactly("demo");
        assertThat(Suggestions.nearest("zzzzzz", Stream.of("demo", "bench"))).isEmpty();
    }

    @Test
    void everyCommandHasHelpWithExamples() {
        Main.commandLine().getSubcommands().forEach((name, command) -> {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                out.getBuffer().setLength(0);
                assertThat(run(name, "--help")).as(name).isZero();
                assertThat(out.toString())
                        .as(name)
                        .contains("Examples:\n", "millrace " + name)
                        .doesNotContain("\u001b[");
                assertThat(command.getCommandSpec().usageMessage().description())
                        .as(name)
                        .isNotEmpty();
            }
        });
    }

    @Test
    void theScriptForShellsKnowsCommandsAndOptions() {
        assertThat(run("completion")).isZero();
        assertThat(out.toString()).startsWith("#!/usr/bin/env bash").contains("inspect", "--sample", "complete ");
    }

    @Test
    void theLogIsAnOptionThatTakesNothingOfWhatFollows() {
        CommandLine.ParseResult parsed = Main.commandLine().parseArgs("run", "--log", "Job.java", "--input", "x");
        assertThat(parsed.subcommand().matchedPositionalValue(0, Path.of(""))).hasToString("Job.java");
        assertThat(CommandLine.populateCommand(new SessionOptions(), "--log").flags())
                .containsExactly("-Dmillrace.log=true");
        assertThat(CommandLine.populateCommand(new SessionOptions(), "--dashboard", "--log-json")
                        .flags())
                .containsExactly("-Dmillrace.dashboard=true", "-Dmillrace.log=json");
        assertThat(CommandLine.populateCommand(new SessionOptions()).flags()).isEmpty();
    }
}

package dev.millrace.cli;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.error.MillraceException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// The entry point of the `millrace` command. New subcommands are added to [#commandLine()].
@Command(
        name = "millrace",
        description = "Lazy, streaming datasets for machine-learning data work.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footer = {
            "",
            "The launcher itself adds:",
            "  build     builds without running",
            "  install   puts the modules into the local Maven repository, for programs of your own",
            "  test      the whole suite, or chosen tests; needs Python 3.11 and Maven",
            "  format    formats the Java files",
            "  clean     removes what was built",
        })
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /// The command with all its subcommands, ready to execute; tests set their own writers.
    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Main())
                .addSubcommand(new Demo())
                .addSubcommand(new CommandLine(new RunProgram()).setUnmatchedOptionsArePositionalParams(true))
                .addSubcommand(new Sql())
                .addSubcommand(new Classify())
                .addSubcommand(new SlowAndRightCommand())
                .addSubcommand(new ClusterCommand())
                .addSubcommand(new WorkerCommand())
                .addSubcommand(new Bench())
                .addSubcommand(new SoakCommand())
                .addSubcommand(new Tune())
                .addSubcommand(new Warm())
                .addSubcommand(new FirstResult());
        commandLine.setParameterExceptionHandler(Main::explain);
        commandLine.setExecutionExceptionHandler(Main::report);
        return commandLine;
    }

    /// Without a subcommand, shows the usage.
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /// One sentence instead of picocli's whole usage text; exit code 2.
    private static int explain(ParameterException mistake, String[] args) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(command.getCommandSpec().qualifiedName() + ": " + Suggestions.explain(mistake));
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /// A failure with an explanation prints its message; any other is a bug in Millrace, so its stack trace is shown.
    private static int report(Exception failure, CommandLine command, ParseResult result) throws Exception {
        if (!(failure instanceof MillraceException) && !(failure instanceof BenchFailure)) {
            throw failure;
        }
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
        return command.getCommandSpec().exitCodeOnExecutionException();
    }
}

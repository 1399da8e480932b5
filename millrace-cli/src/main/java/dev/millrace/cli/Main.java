package dev.millrace.cli;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.error.MillraceException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// The entry point of the `millrace` command. A new subcommand has its name in `COMMANDS` and
/// its class in `command`.
@Command(
        name = "millrace",
        description = "Lazy, streaming datasets for machine-learning data work.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it worked", "1:it failed, with a sentence on standard error", "2:the arguments are wrong"},
        footer = {
            "",
            "'millrace COMMAND --help' has options and examples. Begin with: millrace demo, millrace inspect FILE.",
            "",
            "The launcher itself adds:",
            "  build     builds without running",
            "  install   puts the modules into the local Maven repository",
            "  test      the whole suite, or chosen tests; needs Python 3.11 and Maven",
            "  docs      the documentation as a site with search, in build/site",
            "  format    formats the Java files",
            "  clean     removes what was built",
        })
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    /// In the order of the usage text; the last ones are hidden.
    private static final List<String> COMMANDS = List.of(
            "demo",
            "run",
            "sql",
            "inspect",
            "head",
            "convert",
            "explain",
            "new",
            "doctor",
            "classify",
            "slow-and-right",
            "cluster",
            "worker",
            "bench",
            "soak",
            "tune",
            "completion",
            "stop",
            WarmWorker.NAME,
            "warm",
            "first-result");

    public static void main(String[] args) {
        if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
            // Without picocli, which takes longer to load than all else.
            System.out.println(Release.text());
            return;
        }
        int minutes = WarmClient.minutes(args, System.getenv());
        Path socket = minutes == 0 ? null : WarmSocket.path();
        Integer code = socket == null ? null : WarmClient.run(socket, args);
        if (code == null) {
            code = commandLine(args).execute(args);
            if (socket != null && !Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
                WarmClient.startWorker(socket, minutes);
            }
        }
        System.exit(code);
    }

    /// The command with all its subcommands, ready to execute; tests set their own writers.
    static CommandLine commandLine() {
        return commandLine(COMMANDS);
    }

    /// The same for these arguments: only the command that they name, so that no class of another one is loaded.
    static CommandLine commandLine(String[] args) {
        if (args.length == 0) {
            return commandLine();
        }
        return commandLine(COMMANDS.contains(args[0]) ? List.of(args[0]) : COMMANDS);
    }

    private static CommandLine commandLine(List<String> commands) {
        CommandLine commandLine = new CommandLine(new Main());
        commands.forEach(name -> commandLine.addSubcommand(name, command(name)));
        commandLine.setParameterExceptionHandler(Main::explain);
        commandLine.setExecutionExceptionHandler(Main::report);
        return commandLine;
    }

    private static Object command(String name) {
        return switch (name) {
            case "demo" -> new Demo();
            case "run" -> new CommandLine(new RunProgram()).setUnmatchedOptionsArePositionalParams(true);
            case "sql" -> new Sql();
            case "inspect" -> new Inspect();
            case "head" -> new Head();
            case "convert" -> new Convert();
            case "explain" -> new Explain();
            case "new" -> new NewProject();
            case "doctor" -> new Doctor();
            case "completion" -> new Completion();
            case "classify" -> new Classify();
            case "slow-and-right" -> new SlowAndRightCommand();
            case "cluster" -> new ClusterCommand();
            case "worker" -> new WorkerCommand();
            case "bench" -> new Bench();
            case "soak" -> new SoakCommand();
            case "tune" -> new Tune();
            case "stop" -> new StopCommand();
            case WarmWorker.NAME -> new WarmWorker();
            case "warm" -> new Warm();
            case "first-result" -> new FirstResult();
            default -> throw new IllegalArgumentException(name);
        };
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

package dev.millrace.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Prints the script by which shells complete the command.
@Command(
        name = "completion",
        description = "Prints a script by which bash and zsh complete commands, options and files.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  source <(./millrace completion)                             # for this shell",
            "  ./millrace completion > ~/.local/share/bash-completion/completions/millrace",
        })
final class Completion implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter to = spec.commandLine().getOut();
        to.print(AutoComplete.bash("millrace", Main.commandLine()));
        to.flush();
    }
}

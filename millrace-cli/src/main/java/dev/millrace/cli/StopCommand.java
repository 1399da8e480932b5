package dev.millrace.cli;

import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Ends the warm workers of the user.
@Command(
        name = "stop",
        description = "Ends the warm workers that MILLRACE_KEEP keeps.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  MILLRACE_KEEP=10 millrace sql \"SELECT count(*) FROM 'trips.csv'\"      # keeps a worker for ten minutes",
            "  millrace stop",
        })
final class StopCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        int ended = 0;
        try {
            for (Path socket : WarmSocket.all()) {
                ended += WarmClient.stop(socket) ? 1 : 0;
            }
        } catch (IOException e) {
            throw MillraceException.resources("The workers were not found: " + e.getMessage() + ".");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                switch (ended) {
                    case 0 -> "No warm worker runs.";
                    case 1 -> "One warm worker was ended.";
                    default -> ended + " warm workers were ended.";
                });
        out.flush();
    }
}

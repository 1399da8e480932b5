package dev.millrace.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/// A run of the command in this process, and what it printed.
///
/// @param status the exit code
record CommandRun(int status, String out, String err) {
    static CommandRun of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        int status = commandLine.execute(args);
        return new CommandRun(status, out.toString(), err.toString());
    }
}

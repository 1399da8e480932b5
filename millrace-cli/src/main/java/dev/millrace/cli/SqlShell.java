package dev.millrace.cli;

import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/// Reads statements from a terminal, with history and completion, until its end.
final class SqlShell {
    private static final String PROMPT = "millrace> ";
    private static final String CONTINUED = "%P      -> ";

    private final SqlConsole console;
    private final LineReader reader;

    private SqlShell(SqlConsole console, LineReader reader) {
        this.console = console;
        this.reader = reader;
    }

    static void run(SqlConsole console) {
        try (Terminal terminal = TerminalBuilder.builder().name("millrace").build()) {
            console.out().println("Statements end with a semicolon; \\? lists commands, \\q ends.");
            console.out().flush();
            new SqlShell(console, reader(console, terminal, historyFile())).loop(terminal);
        } catch (IOException e) {
            throw MillraceException.resources("The terminal could not be opened: " + e.getMessage() + ".");
        }
    }

    /// @param history where lines are kept
    static LineReader reader(SqlConsole console, Terminal terminal, Path history) {
        return LineReaderBuilder.builder()
                .appName("millrace")
                .terminal(terminal)
                .parser(new SqlLineParser())
                .completer(new SqlCompleter(console))
                .variable(LineReader.HISTORY_FILE, history)
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, CONTINUED)
                .variable(LineReader.INDENTATION, 0)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
                .option(LineReader.Option.CASE_INSENSITIVE, true)
                .option(LineReader.Option.CASE_INSENSITIVE_SEARCH, true)
                .build();
    }

    private static Path historyFile() {
        Path folder = Path.of(System.getProperty("user.home"), ".millrace");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            // The reader then says that it cannot write its history, and works without.
            return folder.resolve("sql_history");
        }
        return folder.resolve("sql_history");
    }

    private void loop(Terminal terminal) {
        while (true) {
            String line;
            try {
                line = reader.readLine(PROMPT);
            } catch (UserInterruptException _) {
                continue; // The line was given up.
            } catch (EndOfFileException _) {
                return;
            }
            if (!runStoppable(terminal, line)) {
                return;
            }
        }
    }

    /// Runs what was entered; Ctrl-C interrupts it.
    private boolean runStoppable(Terminal terminal, String entered) {
        Thread here = Thread.currentThread();
        Terminal.SignalHandler before = terminal.handle(Terminal.Signal.INT, _ -> here.interrupt());
        try {
            return run(console, entered);
        } finally {
            terminal.handle(Terminal.Signal.INT, before);
            // A signal that came too late is no signal to the next line.
            Thread.interrupted();
        }
    }

    /// Runs one entry, and says what failed.
    ///
    /// @return false if the shell is to end
    static boolean run(SqlConsole console, String entered) {
        PrintWriter out = console.out();
        try {
            String text = entered.strip();
            if (text.startsWith("\\")) {
                return console.command(text);
            }
            if (isEnd(text)) {
                return false;
            }
            SqlStatements.of(text).all().forEach(console::statement);
        } catch (MillraceException e) {
            out.println(Thread.interrupted() ? "Stopped." : e.getMessage());
        } catch (RuntimeException e) {
            out.println("This is a fault of Millrace: " + e);
            e.printStackTrace(out);
        }
        out.flush();
        return true;
    }

    private static boolean isEnd(String text) {
        String word = text.endsWith(";") ? text.substring(0, text.length() - 1).strip() : text;
        return word.equalsIgnoreCase("quit") || word.equalsIgnoreCase("exit");
    }
}

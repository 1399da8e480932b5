package dev.millrace.internal.cluster.worker;

import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/// The main class of a worker process: [WorkerOptions] has its command line. When it listens, its first line on
/// standard output is `millrace-worker HOST PORT`; what users' functions print goes to standard error. It runs until it
/// is killed, or until its standard input ends if it was told so.
public final class WorkerMain {
    private static final int WRONG_OPTIONS = 2;

    private WorkerMain() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /// Runs a worker in this process; returns its exit code when it has ended.
    public static int run(String[] arguments) {
        PrintStream output = System.out;
        System.setOut(System.err);
        WorkerServer server;
        try {
            WorkerOptions options = WorkerOptions.parse(arguments, System.getenv());
            server = new WorkerServer(options);
            announce(
                    output,
                    WorkerOptions.READY + " " + options.advertised() + " " + server.port(),
                    options.addressFile());
            if (options.untilStdinEnds()) {
                Thread.ofPlatform().name("millrace-parent").daemon().start(WorkerMain::endWithParent);
            }
        } catch (MillraceException | IOException e) {
            System.err.println(e.getMessage());
            return WRONG_OPTIONS;
        }
        server.run();
        return 0;
    }

    /// The file appears whole, for whoever waits for it.
    private static void announce(PrintStream output, String line, @Nullable Path file) throws IOException {
        if (file != null) {
            Path beside = file.resolveSibling(file.getFileName() + ".part");
            Files.writeString(beside, line + System.lineSeparator(), StandardCharsets.UTF_8);
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
        output.println(line);
        output.flush();
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // Nobody says anything.
            }
        } catch (IOException e) {
            // As at the end.
        }
        // At once: nobody waits for the results, and a function may hold up an orderly end.
        Runtime.getRuntime().halt(0);
    }
}

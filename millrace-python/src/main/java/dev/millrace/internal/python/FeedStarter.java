package dev.millrace.internal.python;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntFunction;

/// The feed of a program that Python has started: it ends with the pipe that is the program's standard input. As a
/// program itself, it serves a saved plan.
public final class FeedStarter {
    /// Names the feed's path.
    static final String VARIABLE = "MILLRACE_FEED";

    private FeedStarter() {}

    /// The dataset of a saved plan: its file, and the classes that its functions may have.
    public static void main(String[] arguments) {
        try (Session session = Session.open()) {
            Dataset dataset = session.loadPlan(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length));
            serve(Map.of("", _ -> dataset));
        }
    }

    public static void serve(Map<String, IntFunction<Dataset>> datasets) {
        String path = System.getenv(VARIABLE);
        if (path == null) {
            throw MillraceException.user("PythonFeed.serve: no Python program has started this one: the environment"
                    + " variable " + VARIABLE + " is not set. Start it by millrace.run(...), or use open(path).");
        }
        try (FeedServer _ = FeedServer.open(path, datasets)) {
            awaitEndOfInput();
        }
    }

    private static void awaitEndOfInput() {
        byte[] ignored = new byte[256];
        try {
            while (System.in.read(ignored) >= 0) {
                // Nothing is said here.
            }
        } catch (IOException _) {
            // Its end as well.
        }
    }
}

package dev.millrace.cli;

import dev.millrace.Session;
import dev.millrace.examples.Trips;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Shows a pipeline at work.
@Command(
        name = "demo",
        description = "Runs a small pipeline over a million made-up taxi trips, and shows its rows, result and stats.",
        mixinStandardHelpOptions = true)
final class Demo implements Runnable {
    @Option(names = "--trips", paramLabel = "N", defaultValue = "1000000", description = "how many (default: 1000000)")
    private long trips;

    @Override
    public void run() {
        try (Session session = Session.open()) {
            Trips.run(session, trips, System.out);
        }
    }
}

package dev.millrace.cli;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.examples.Trips;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;

/// What the launcher runs once after a build, so that Java remembers the classes and starts fast: a little of all that
/// users do first.
@Command(name = "warm", hidden = true, mixinStandardHelpOptions = true)
final class Warm implements Runnable {
    private static final int ROWS = 20_000;

    @Override
    public void run() {
        try (Session session = Session.open();
                PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            Dataset numbers = session.range(ROWS)
                    .map(row -> row.with("square", row.getLong("id") * row.getLong("id")))
                    .filter(row -> row.getLong("square") % 2 == 0)
                    .filter(col("square").gt(10))
                    .mapBatches(batch -> batch.mapLongs("id", id -> id + 1));
            nowhere.println(numbers.count());
            nowhere.println(numbers.take(5));
            nowhere.println(numbers.sum("id"));
            Trips.run(session, ROWS, nowhere);
        }
    }
}

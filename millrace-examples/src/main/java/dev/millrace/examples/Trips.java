package dev.millrace.examples;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.Session;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/// Taxi trips, end to end: a million records are generated inside the job, priced per kilometre, filtered, shown and
/// averaged. The whole job is one stream; the trips are never in memory all at once.
public final class Trips {
    private static final List<String> ZONES = List.of("Airport", "Centre", "Harbour", "Hills", "Old Town", "Station");

    private Trips() {}

    /// The columns of `range`: the components of a record name the columns it reads.
    public record Number(long id) {}

    /// One trip; its components become the columns `id`, `zone`, `km` and `fare`.
    public record Trip(long id, String zone, double km, double fare) {}

    /// Deterministic: the same number gives the same trip on any thread, because a task may run twice after a lost
    /// worker.
    static Trip trip(Number number) {
        SplittableRandom random = new SplittableRandom(number.id());
        String zone = ZONES.get(random.nextInt(ZONES.size()));
        double km = Math.round(-800 * Math.log(1 - random.nextDouble())) / 100.0; // 8 km on average, many short ones
        double perKm = zone.equals("Airport") ? 2.4 : 1.7;
        double fare = Math.round(100 * (3.5 + km * perKm * random.nextDouble(0.8, 1.3))) / 100.0;
        return new Trip(number.id(), zone, km, fare);
    }

    /// Describes the pipeline; nothing runs yet. Lambdas and expressions mix: expressions run on whole columns.
    public static Dataset fares(Session session, long trips) {
        return session.range(trips)
                .map(Number.class, Trip.class, Trips::trip)
                .filter(col("km").ge(1.0).and(col("zone").ne("Hills")))
                .withColumn("perKm", col("fare").dividedBy(col("km")).round(2))
                .named("trips");
    }

    /// Runs it: prints the first rows as a table, then two aggregates over all rows, then the statistics of the last
    /// run.
    public static void run(Session session, long trips, PrintStream out) {
        Dataset fares = fares(session, trips);
        out.println("The first of " + trips + " made-up trips, those of a kilometre or more and not from the hills:");
        out.println(fares.showString(10));

        long count = fares.count();
        Double perKm = fares.mean("perKm");
        out.printf(Locale.ROOT, "%,d of %,d trips remain; a kilometre costs %.2f on average.%n%n", count, trips, perKm);
        out.print(fares.stats());
    }

    /// Runs over a million trips.
    public static void main(String[] args) {
        try (Session session = Session.open()) {
            run(session, 1_000_000, System.out);
        }
    }
}

package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.relation.Join;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunctions;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Shuffles over three workers give what they give in one process, also with a key that most rows have.
@Timeout(120)
class ClusterShufflesIT {
    private static final long ROWS = 120_000;

    private static Session embedded;
    private static Session cluster;

    @BeforeAll
    static void open() {
        Session.Builder builder = Session.builder()
                .progress(ProgressSettings.OFF)
                .blocks(BlockSettings.DEFAULT.withTargetBytes(256 << 10).withShuffleTargetBytes(512 << 10))
                .limits(ResourceLimits.DEFAULT.withMemory(900L << 20));
        embedded = builder.open();
        cluster = builder.cluster("local:3").open();
    }

    @AfterAll
    static void close() {
        embedded.close();
        cluster.close();
    }

    /// Six of ten rows have the key 0, the others one of a thousand.
    private static Dataset trips(Session session) {
        return session.range(ROWS, 12).map(row -> {
            long id = row.getLong("id");
            long mixed = id * 0x9E3779B97F4A7C15L >>> 20;
            return Row.of("id", id, "zone", id % 10 < 6 ? 0L : mixed % 1000, "fare", mixed % 10_007);
        });
    }

    private static Dataset zones(Session session) {
        return session.range(1000, 3)
                .map(row -> Row.of("zone", row.getLong("id"), "name", "zone " + row.getLong("id")));
    }

    private static List<Row> sorted(List<Row> rows, String column) {
        return rows.stream()
                .sorted(Comparator.comparingLong(row -> row.getLong(column)))
                .toList();
    }

    /// @param order the column that makes rows comparable; null if the verb itself orders them
    private static void assertSame(Function<Session, Dataset> job, String order) {
        List<Row> expected = job.apply(embedded).takeAll();
        List<Row> actual = job.apply(cluster).takeAll();
        assertThat(expected).isNotEmpty();
        assertThat(order == null ? actual : sorted(actual, order))
                .isEqualTo(order == null ? expected : sorted(expected, order));
    }

    @Test
    void sort() {
        assertSame(session -> trips(session).sort("fare", "id"), null);
    }

    @Test
    void groupBy() {
        assertSame(
                session -> trips(session)
                        .groupBy("zone")
                        .aggregate(Aggregates.count(), Aggregates.sum("fare"), Aggregates.max("id")),
                "zone");
    }

    @Test
    void joinOfPartitionedSides() {
        assertSame(
                session ->
                        trips(session).join(zones(session), Join.inner("zone").broadcast(0)),
                "id");
    }

    @Test
    void joinWithABroadcastSide() {
        assertSame(
                session -> trips(session).join(zones(session), Join.left("zone").broadcast(64L << 20)), "id");
    }

    @Test
    void randomShuffleWithASeed() {
        assertSame(session -> trips(session).randomShuffle(7), "id");
        List<Row> shuffled = trips(cluster).randomShuffle(7).take(1000);
        assertThat(shuffled).isNotEqualTo(sorted(shuffled, "id"));
    }

    @Test
    void repartition() {
        assertSame(session -> trips(session).repartition(5), null);
        assertThat(trips(cluster).repartition(4, "zone").takeAll()).hasSize((int) ROWS);
    }

    @Test
    void windows() {
        assertSame(
                session -> trips(session)
                        .window(
                                Window.partitionBy("zone").orderBy("id"),
                                WindowFunctions.rowNumber().as("number"),
                                WindowFunctions.running(Aggregates.sum("fare")).as("sum")),
                "id");
    }

    @Test
    void distinct() {
        assertSame(session -> trips(session).distinct("zone").select("zone"), "zone");
    }
}

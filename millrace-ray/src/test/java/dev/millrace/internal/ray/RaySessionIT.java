package dev.millrace.internal.ray;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.worker.WorkerMain;
import dev.millrace.internal.ray.local.LocalRayCluster;
import dev.millrace.internal.ray.local.RayEnvironment;
import dev.millrace.internal.ray.local.RayNodeProcess;
import dev.millrace.relation.Join;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.ChildJvm;
import dev.millrace.testing.Python;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Sessions on a real Ray cluster of three nodes on this machine. One cluster for all tests, those that change it last.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RaySessionIT {
    private static final String STATE = "millrace.cluster.state";
    private static final LocalRayCluster.Shape SHAPE = new LocalRayCluster.Shape(3, 1, 0, 100L << 20, true);
    private static final long ROWS = 60_000;
    /// Of a block that is too large to live in the driver.
    private static final long BLOCK_ROWS = 50_000;

    @TempDir
    private static Path folder;

    private static LocalRayCluster cluster;

    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    static void up() {
        Path state = folder.resolve("state");
        System.setProperty(STATE, state.toString());
        cluster = LocalRayCluster.up(
                state,
                RayEnvironment.of(Python.environment("cluster").interpreter().toString()),
                SHAPE);
    }

    @AfterAll
    static void down() throws InterruptedException {
        System.clearProperty(STATE);
        cluster.down();
        assertThat(cluster.processes()).isEmpty();
        assertThat(RayProcesses.awaitNone(WorkerMain.class.getName())).isTrue();
    }

    private static Session connect() {
        return Session.builder()
                .cluster(cluster.url())
                .progress(ProgressSettings.OFF)
                .open();
    }

    @Test
    @Order(1)
    void datasetsOfEachKindHaveTheRowsThatOneProcessMakes() {
        try (Session here = Session.builder().progress(ProgressSettings.OFF).open();
                Session there = connect()) {
            assertThat(mapped(there)).isEqualTo(mapped(here));
            assertThat(inActors(there)).isEqualTo(inActors(here));
            assertThat(sorted(there)).isEqualTo(sorted(here));
            assertThat(grouped(there)).isEqualTo(grouped(here));
            assertThat(joined(there)).isEqualTo(joined(here));
            assertThat(written(there, folder.resolve("there"))).isEqualTo(written(here, folder.resolve("here")));
        }
    }

    private static Dataset keyed(Session session) {
        return session.range(ROWS).withColumn("key", sql("id % 97"));
    }

    private static List<Row> mapped(Session session) {
        return keyed(session)
                .mapBatches(batch -> batch.mapLongs("id", id -> id * 3))
                .filter(col("key").eq(5))
                .takeAll();
    }

    private static List<Row> inActors(Session session) {
        return keyed(session)
                .mapBatches(() -> batch -> batch.mapLongs("key", key -> key + 1000), Compute.actors(2))
                .limit(100)
                .takeAll();
    }

    private static List<Row> sorted(Session session) {
        return keyed(session).sort("key", "id").limit(1000).takeAll();
    }

    private static List<Row> grouped(Session session) {
        return keyed(session)
                .groupBy("key")
                .aggregate(Aggregates.sum("id"), Aggregates.count())
                .sort("key")
                .takeAll();
    }

    private static List<Row> joined(Session session) {
        Dataset names = session.range(97).rename("id", "key").withColumn("name", sql("key * 10"));
        return keyed(session)
                .join(names, Join.inner("key"))
                .sort("id")
                .limit(500)
                .takeAll();
    }

    private static List<Row> written(Session session, Path place) {
        keyed(session).writeArrow(place.toString());
        return session.readArrow(place.toString()).sort("id").limit(300).takeAll();
    }

    @Test
    @Order(2)
    void whatNoNodeHasEndsTheRunWithWhatIsMissing() {
        try (Session session = connect()) {
            assertThatThrownBy(() -> session.range(3)
                            .mapBatches(
                                    batch -> batch,
                                    Compute.tasks().gpus(1).batchSize(64).name("classify"))
                            .takeAll())
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("classify")
                    .hasMessageContaining("needs 1 GPU")
                    .hasMessageContaining(
                            "no node of the Ray cluster has that much, and its autoscaler added none within")
                    .hasMessageContaining("the most on one node: GPU 0.0");
        }
    }

    @Test
    @Order(3)
    void aSubmittedJobRunsOnItsCluster() throws Exception {
        List<String> command = new ArrayList<>(List.of(cluster.python().toString(), "-m", "ray.scripts.scripts"));
        command.addAll(List.of("job", "submit", "--address", cluster.dashboard().orElseThrow(), "--"));
        command.addAll(ChildJvm.command(List.of(), Job.class));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(cluster.environment());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).contains("The job counted 60000 rows.").contains("succeeded");
        assertThat(process.waitFor()).isZero();
    }

    /// Runs on the head, as a job of Ray.
    static final class Job {
        private Job() {}

        public static void main(String[] arguments) {
            try (Session session = Session.connect("ray://auto")) {
                long rows = session.range(ROWS)
                        .mapBatches(batch -> batch.mapLongs("id", id -> id + 1))
                        .filter(col("id").gt(0))
                        .count();
                System.out.println("The job counted " + rows + " rows.");
            }
        }
    }

    @Test
    @Order(4)
    void aNodeThatIsAddedGetsTasksAndBlocksOfOneThatDiesAreMadeAgain() throws InterruptedException {
        try (Session session = connect()) {
            awaitWorkers(session, 3);
            cluster.addNode(new LocalRayCluster.Shape(1, 2, 0, 100L << 20, false));
            // The verb waits for the worker of the only node that has so many CPUs.
            assertThat(session.range(10)
                            .mapBatches(batch -> batch, Compute.tasks().cpus(2))
                            .count())
                    .isEqualTo(10);
            awaitWorkers(session, 4);
            try (MaterializedDataset held = session.range(BLOCK_ROWS * 16)
                    .repartition(16)
                    .mapBatches(batch -> batch.mapLongs("id", id -> id * 2))
                    .materialize()) {
                RayNodeProcess dying = cluster.nodes().stream()
                        .skip(1)
                        .filter(node -> hosts(held).contains(node.address()))
                        .findFirst()
                        .orElseThrow();
                RayProcesses.raylet(dying).destroyForcibly();
                // The worker outlives its raylet until Ray's actor sees that it is gone.
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                do {
                    assertAllRows(held);
                } while (hosts(held).contains(dying.address()) && System.nanoTime() < deadline);
                assertThat(hosts(held)).isNotEmpty().doesNotContain(dying.address());
            }
        }
    }

    private static void assertAllRows(MaterializedDataset held) {
        long rows = BLOCK_ROWS * 16;
        Row sums = held.aggregate(
                        Aggregates.sum("id").as("sum"), Aggregates.count().as("rows"))
                .takeAll()
                .getFirst();
        assertThat(sums).isEqualTo(Row.of("sum", rows * (rows - 1), "rows", rows));
        assertThat(held.sort("id").limit(3).takeAll())
                .extracting(row -> row.getLong("id"))
                .containsExactly(0L, 2L, 4L);
    }

    /// The addresses of the nodes that hold blocks; small blocks are in the driver.
    private static Set<String> hosts(MaterializedDataset held) {
        return held.blockReferences().stream()
                .map(slice -> slice.block().node())
                .filter(Objects::nonNull)
                .map(node -> node.substring(node.indexOf('@') + 1, node.lastIndexOf(':')))
                .collect(Collectors.toSet());
    }

    /// Waits until tasks run in so many processes, none of which is this one.
    private static void awaitWorkers(Session session, int count) throws InterruptedException {
        Set<Object> seen = new TreeSet<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (seen.size() < count) {
            assertThat(System.nanoTime()).as("workers " + seen).isLessThan(deadline);
            session.range(64)
                    .repartition(32)
                    .map(row -> {
                        Thread.sleep(20);
                        return Row.of("pid", ProcessHandle.current().pid());
                    })
                    .takeAll()
                    .forEach(row -> seen.add(row.getLong("pid")));
        }
        assertThat(seen).hasSize(count).doesNotContain(ProcessHandle.current().pid());
    }
}

package dev.millrace.internal.ray;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.Resources;
import dev.millrace.internal.cluster.start.WorkerAddress;
import dev.millrace.internal.ray.local.LocalRayCluster;
import dev.millrace.internal.ray.local.RayEnvironment;
import dev.millrace.internal.ray.local.RayNodeProcess;
import dev.millrace.testing.ChildJvm;
import dev.millrace.testing.Python;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The starter on a real Ray cluster of this machine, with stand-ins for workers. One cluster for all tests, the one
/// that loses a node last.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RayStarterIT {
    private static final int PATIENCE = 3;
    private static final String STAND_IN = StandInWorker.class.getName();
    private static final WorkerLaunch LAUNCH = new WorkerLaunch(STAND_IN, null, null, PATIENCE);
    private static final String TOKEN = "0123456789abcdef-of-this-test";
    private static final LocalRayCluster.Shape SHAPE = new LocalRayCluster.Shape(2, 1, 0, 100L << 20, false);

    @TempDir
    private static Path state;

    private static LocalRayCluster cluster;

    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    static void up() {
        cluster = LocalRayCluster.up(
                state,
                RayEnvironment.of(Python.environment("cluster").interpreter().toString()),
                SHAPE);
    }

    @AfterAll
    static void down() {
        cluster.down();
        assertThat(cluster.processes()).isEmpty();
        assertThat(cluster.folder()).doesNotExist();
        assertThat(LocalRayCluster.find(state)).isEmpty();
    }

    private static RayStarter starter(String options) {
        RayAddress address = RayAddress.parse(cluster.url() + options);
        return new RayStarter(address, RayPython.find(address, state, System.getenv()), LAUNCH);
    }

    @Test
    @Order(1)
    void everyNodeGetsAWorkerWhoseTokenNoProcessListShowsAndAKilledOneIsReplaced() throws Exception {
        StarterEvents events = new StarterEvents();
        try (RayStarter starter = starter("")) {
            starter.start(TOKEN, events);
            List<WorkerAddress> workers = events.awaitWorkers(2);
            assertThat(workers).extracting(WorkerAddress::host).containsExactlyInAnyOrder("127.0.0.2", "127.0.0.3");
            assertThat(RayProcesses.withClass(STAND_IN)).hasSize(2);
            assertThat(RayProcesses.thatShow(TOKEN)).isEmpty();
            RayProcesses.withClass(STAND_IN).getFirst().destroyForcibly();
            assertThat(events.awaitText(text -> text.startsWith("left"))).endsWith("its process ended with code -9");
            assertThat(events.awaitWorkers(2)).isNotEqualTo(workers);
        }
        assertThat(RayProcesses.awaitNone(STAND_IN)).isTrue();
    }

    @Test
    @Order(2)
    void whatNoNodeHasIsToldWithTheMostThatOneHas() throws Exception {
        StarterEvents events = new StarterEvents();
        try (RayStarter starter = starter("")) {
            starter.start(TOKEN, events);
            events.awaitWorkers(2);
            assertThat(starter.obtain(new Resources(1, 1, 0, Map.of())))
                    .contains("no node of the Ray cluster has that much, and its autoscaler added none within 3 s; the"
                            + " most on one node: CPU 1.0, GPU 0.0");
            assertThat(starter.obtain(new Resources(1, 0, 0, Map.of()))).isEmpty();
        }
    }

    @Test
    @Order(3)
    void whatWorkWaitsForIsWhatRaysAutoscalerSeesUntilItWaitsNoMore() throws Exception {
        StarterEvents events = new StarterEvents();
        try (RayStarter starter = starter("")) {
            starter.start(TOKEN, events);
            events.awaitWorkers(2);
            starter.want(List.of(Resources.cpus(1), Resources.cpus(1)));
            assertThat(demand(2)).isEqualTo("[{'CPU': 1.0}, {'CPU': 1.0}]");
            starter.want(List.of());
            assertThat(demand(0)).isEqualTo("[]");
        }
    }

    /// The bundles that Ray tells its autoscaler of, as soon as they are so many.
    private static String demand(int bundles) {
        return Python.environment("cluster")
                .run(
                        RayStarterIT.class,
                        "demand_check.py",
                        cluster.address(),
                        cluster.environment().get("RAY_AUTH_TOKEN_PATH"),
                        Integer.toString(bundles))
                .strip();
    }

    @Test
    @Order(3)
    void aSessionThatFindsAllCpusTakenIsToldSo() throws Exception {
        StarterEvents events = new StarterEvents();
        StarterEvents others = new StarterEvents();
        try (RayStarter first = starter("");
                RayStarter second = starter("")) {
            first.start(TOKEN, events);
            events.awaitWorkers(2);
            second.start(TOKEN, others);
            assertThat(others.awaitText(text -> text.startsWith("failed")))
                    .startsWith("failed No worker could be started on the Ray cluster at " + cluster.address()
                            + ". Node 127")
                    .contains(
                            ": 1 CPUs and 0 GPUs are to be reserved for its worker, and 0 CPUs and 0 GPUs are free, since"
                                    + " other jobs have the rest; ask for fewer with ?cpus=N after the address.");
        }
    }

    @Test
    @Order(4)
    void workersEndWhenTheirDriverIsKilled() throws Exception {
        Process driver = ChildJvm.start(List.of(), Driver.class, state.toString(), cluster.url());
        try {
            assertThat(new String(driver.getInputStream().readNBytes(3), StandardCharsets.US_ASCII))
                    .isEqualTo("two");
            assertThat(RayProcesses.withClass(STAND_IN)).hasSize(2);
        } finally {
            driver.destroyForcibly();
        }
        assertThat(RayProcesses.awaitNone(STAND_IN)).isTrue();
    }

    /// Starts two workers, says so, and waits to be killed.
    static final class Driver {
        private Driver() {}

        public static void main(String[] arguments) throws Exception {
            RayAddress address = RayAddress.parse(arguments[1]);
            StarterEvents events = new StarterEvents();
            RayPython python = RayPython.find(address, Path.of(arguments[0]), System.getenv());
            try (RayStarter starter = new RayStarter(address, python, LAUNCH)) {
                starter.start(TOKEN, events);
                events.awaitWorkers(2);
                System.out.print("two");
                System.out.flush();
                Thread.sleep(TimeUnit.MINUTES.toMillis(5));
            }
        }
    }

    @Test
    @Order(5)
    void aNodeThatIsAddedGetsAWorkerWithItsGpusAndOneThatDiesTakesItsWorkerWithIt() throws Exception {
        StarterEvents events = new StarterEvents();
        try (RayStarter starter = starter("?cpus=1")) {
            starter.start(TOKEN, events);
            events.awaitWorkers(2);
            RayNodeProcess added = cluster.addNode(new LocalRayCluster.Shape(1, 1, 1, 100L << 20, false));
            List<WorkerAddress> workers = events.awaitWorkers(3);
            assertThat(workers.getLast().host()).isEqualTo(added.address());
            assertThat(workers.getLast().label()).endsWith(", GPU 0)");
            assertThat(starter.obtain(new Resources(0, 1, 0, Map.of()))).isEmpty();
            RayProcesses.raylet(added).destroyForcibly();
            assertThat(events.awaitText(text -> text.startsWith("left")))
                    .contains(added.address())
                    .doesNotContain("127.0.0.2", "127.0.0.3");
            assertThat(events.awaitWorkers(2)).doesNotContain(workers.getLast());
        }
        assertThat(RayProcesses.awaitNone(STAND_IN)).isTrue();
    }

    @Test
    void aPythonWithoutRayAndAPortWithoutRayAreSentences() throws Exception {
        RayAddress nobody = RayAddress.parse("ray://127.0.0.1:1");
        StarterEvents events = new StarterEvents();
        try (RayStarter starter =
                new RayStarter(nobody, new RayPython(cluster.python().toString(), "of this test", Map.of()), LAUNCH)) {
            starter.start(TOKEN, events);
            assertThat(events.awaitText(text -> text.startsWith("failed")))
                    .startsWith("failed No Ray cluster answers at 127.0.0.1:1 (")
                    .endsWith("'millrace cluster up' starts a cluster on this machine.");
        }
        // Ray's own folder of temporary files, which a script beside it would take for the package.
        Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "ray"));
        String bare = Python.environment("test").interpreter().toString();
        StarterEvents others = new StarterEvents();
        try (RayStarter starter = new RayStarter(nobody, new RayPython(bare, "of this test", Map.of()), LAUNCH)) {
            starter.start(TOKEN, others);
            assertThat(others.awaitText(text -> text.startsWith("failed")))
                    .contains(
                            "(of this test) has no Ray, which starts the workers. Install the cluster's version there");
        }
    }
}

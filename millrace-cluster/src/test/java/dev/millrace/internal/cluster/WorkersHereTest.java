package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.internal.cluster.start.WorkerAddress;
import dev.millrace.internal.cluster.start.WorkerStarter;
import dev.millrace.internal.cluster.worker.WorkerOptions;
import dev.millrace.internal.cluster.worker.WorkerServer;
import dev.millrace.settings.ProgressSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two workers of one CPU each in this process, behind proxies that count what they send.
@Timeout(120)
class WorkersHereTest {
    private static final String TOKEN = "the token of this test";
    private static final long ROWS = 1_000_000;
    private static final long BYTES = ROWS * Long.BYTES;

    /// What runs in workers of this process sees its statics.
    private static CountDownLatch begun = new CountDownLatch(1);

    private static CountDownLatch together = new CountDownLatch(2);

    private final List<WorkerServer> servers = new ArrayList<>();
    private final List<CountingProxy> proxies = new ArrayList<>();

    @BeforeEach
    void listen() throws IOException {
        for (int i = 0; i < 2; i++) {
            String[] line = {"--cpus", "1", "--memory", "256m"};
            WorkerServer server = new WorkerServer(WorkerOptions.parse(line, Map.of(WorkerOptions.TOKEN, TOKEN)));
            servers.add(server);
            Thread.ofPlatform().daemon().start(server::run);
            proxies.add(new CountingProxy(server.port()));
        }
    }

    @AfterEach
    void close() {
        proxies.forEach(CountingProxy::close);
        servers.forEach(WorkerServer::close);
    }

    /// The workers join when they are told to.
    private final class Joining implements WorkerStarter {
        private final int first;
        private Listener listener;

        /// @param first how many are there when the session begins
        Joining(int first) {
            this.first = first;
        }

        @Override
        public void start(String token, Listener hears) {
            listener = hears;
            for (int i = 0; i < first; i++) {
                join(i);
            }
        }

        void join(int worker) {
            listener.joined(new WorkerAddress("127.0.0.1", proxies.get(worker).port(), "worker " + worker));
        }

        @Override
        public int expected() {
            return first;
        }

        @Override
        public boolean sharesClassPath() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static Session open(WorkerStarter starter) {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(account -> new ClusterRuntime(
                        "here",
                        new ClusterOptions(starter, TOKEN, null, true, Duration.ofSeconds(60), null),
                        account,
                        null))
                .open();
    }

    private long sent() {
        return proxies.stream().mapToLong(CountingProxy::sent).sum();
    }

    private static Dataset rows(Session session) {
        return session.range(ROWS, 8).mapBatches(batch -> batch.mapLongs("id", id -> id * 7919 % 1_000_003));
    }

    @Test
    void countMovesNoRows() {
        try (Session session = open(new Joining(2))) {
            Dataset rows = rows(session);
            long before = sent();
            assertThat(rows.count()).isEqualTo(ROWS);
            long counted = sent() - before;
            assertThat(rows.filter(row -> row.getLong("id") % 2 == 0).count()).isBetween(ROWS / 3, ROWS);
            long filtered = sent() - before - counted;
            assertThat(rows.takeAll().size()).isEqualTo((int) ROWS);
            long taken = sent() - before - counted - filtered;

            assertThat(counted).as("bytes from workers for count()").isLessThan(BYTES / 100);
            assertThat(filtered).as("bytes for count() after a filter").isLessThan(BYTES / 100);
            assertThat(taken).as("bytes if the rows are taken").isGreaterThan(BYTES);
        }
    }

    @Test
    void aSortMovesTheRowsOfSlicesOnly() {
        try (Session session = open(new Joining(2))) {
            assertThat(rows(session).sort("id").mapBatches(batch -> batch).count())
                    .isEqualTo(ROWS);

            // About half of the rows are on the other worker; whole blocks for each slice would be many times that.
            assertThat(sent()).isLessThan(BYTES * 5 / 4);
        }
    }

    @Test
    void aWorkerThatJoinsGetsTasks() throws InterruptedException {
        begun = new CountDownLatch(1);
        together = new CountDownLatch(2);
        Joining starter = new Joining(1);
        try (Session session = open(starter)) {
            Thread joins = Thread.ofPlatform().start(() -> {
                if (WorkersHereTest.await(begun)) {
                    starter.join(1);
                }
            });
            assertThat(session.range(100, 10)
                            .mapBatches(batch -> {
                                begun.countDown();
                                together.countDown();
                                // A worker runs one task at a time: another worker has the second.
                                if (!WorkersHereTest.await(together)) {
                                    throw new IllegalStateException("no second task within 60 s");
                                }
                                return batch;
                            })
                            .count())
                    .isEqualTo(100);
            joins.join();
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

package dev.millrace.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.compute.Compute;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class HttpModelClusterIT {
    private static final int REQUESTS = 60;

    /// Three processes, each with an actor. If each had the whole limit, they would be three times as fast.
    @Test
    void workersTogetherKeepTheLimitOfAModel() {
        ConcurrentLinkedQueue<Long> arrivals = new ConcurrentLinkedQueue<>();
        long begin;
        try (ModelServer server = new ModelServer(_ -> {
                    arrivals.add(System.nanoTime());
                    return ModelServer.chat("yes");
                });
                Session session = Session.builder()
                        .progress(ProgressSettings.OFF)
                        .cluster(ClusterSettings.DEFAULT.withWorkerMemory(64 << 20))
                        .cluster("local:3")
                        .open()) {
            begin = System.nanoTime();
            assertThat(session.range(REQUESTS, REQUESTS)
                            .mapBatches(
                                    HttpModel.chat(server.address(), "small")
                                            .prompt("${id}")
                                            .requestsPerMinute(1200),
                                    Compute.actors(3).cpus(0).batchSize(1))
                            .count())
                    .isEqualTo(REQUESTS);
        }
        List<Long> sent = arrivals.stream().sorted().toList();
        assertThat(sent).hasSize(REQUESTS);
        // A second's amount at once, and twenty in each second after it. The machine may make it slower, not faster.
        for (int i = 0; i < REQUESTS; i++) {
            double allowed = 20 + (sent.get(i) - begin) / 5e7;
            assertThat(i + 1.0).as("request %d", i).isLessThanOrEqualTo(allowed);
        }
    }
}

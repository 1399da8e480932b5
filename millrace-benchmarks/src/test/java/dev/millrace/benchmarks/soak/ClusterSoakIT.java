package dev.millrace.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ClusterSoakIT {
    @Test
    void pipelinesOfAFixedSeedLoseAndDoubleNothingThoughAWorkerIsKilledInEach() throws Exception {
        Soak.Result result = Soak.runOnWorkers(Duration.ofMinutes(4), 3, 1, null);

        assertThat(result.isGood()).as(result.toString()).isTrue();
        assertThat(result.pipelines()).isEqualTo(3);
        assertThat(result.faults()).isPositive();
        assertThat(result.rows()).isPositive();
    }
}

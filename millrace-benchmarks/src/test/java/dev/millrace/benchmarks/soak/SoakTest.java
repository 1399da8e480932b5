package dev.millrace.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SoakTest {
    @Test
    void pipelinesOfAFixedSeedLoseAndDoubleNothing() {
        Soak.Result result = Soak.run(Duration.ofSeconds(6), 200, 1);
        assertThat(result.isGood()).as(result.toString()).isTrue();
        assertThat(result.faults()).isPositive();
        assertThat(result.rows()).isPositive();
    }

    @Test
    void pipelinesOfARandomSeedDoNeither() {
        long seed = Math.floorMod(Seeds.seed(), 1_000_000_000L);
        System.out.println("SoakTest: millrace soak --seed " + seed);
        Soak.Result result = Soak.run(Duration.ofSeconds(6), Long.MAX_VALUE, seed);
        assertThat(result.isGood()).as(result.toString()).isTrue();
    }

    @Test
    void aFailureNamesTheSeedThatRepeatsIt() {
        assertThat(new Soak.Result(3, 1, 10, 0, 0, 7, "range(10)\nrow 3: expected 1, got 2", false).toString())
                .isEqualTo("Pipeline 4 failed; run it again with: millrace soak --seed 7 --pipelines 1\n"
                        + "range(10)\nrow 3: expected 1, got 2");
        assertThat(new Soak.Result(3, 1, 10, 0, 0, 7, "range(10)", true).toString())
                .isEqualTo("Pipeline 4 failed; run it again with: millrace soak --seed 7 --pipelines 1 --cluster\n"
                        + "range(10)");
    }
}

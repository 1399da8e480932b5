package dev.millrace.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.testing.Faults;
import dev.millrace.testing.FaultyRuntime;
import dev.millrace.testing.Seeds;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Sinks while workers are lost: nothing is written twice, nothing is missing, nothing is left.
class FaultyArrowSinkTest extends ArrowSinkTest {
    private static final long SEED = Seeds.seed();

    @AfterAll
    static void tellTheSeed() {
        System.out.println("FaultyArrowSinkTest: -Dmillrace.seed=" + SEED);
    }

    @Override
    protected Runtime newRuntime(Allocator account) {
        return faulty(Faults.NONE.withSeed(SEED).withLostTasks(3).withDelays(200));
    }

    private static FaultyRuntime faulty(Faults faults) {
        return FaultyRuntime.embedded(CAPACITY, faults);
    }

    @Test
    void lostBlocksNeitherDoubleNorLoseRows() {
        for (long seed = 0; seed < 4; seed++) {
            FaultyRuntime runtime = faulty(
                    Faults.NONE.withSeed(seed).withDelays(300).withLostTasks(7).withLostNodes(4));
            try (Session bad = openOn(_ -> runtime)) {
                WriteOptions options = WriteOptions.defaults().overwrite().maxRowsPerFile(170);
                Dataset rows = bad.range(1000, 20).map(row -> row.copy()).sort("id");
                assertThat(rows.write(sink(out(), options)).rows()).isEqualTo(1000);
                assertThat(runtime.lostNodes()).isPositive();
            }
            assertThat(ids()).as("seed " + seed).isEqualTo(upTo(1000));
            assertThat(Path.of(out(), "_temporary")).doesNotExist();
        }
    }

    @Test
    void lostWorkersNeitherDoubleNorLoseRows() {
        for (long seed = 0; seed < 6; seed++) {
            FaultyRuntime runtime =
                    faulty(Faults.NONE.withSeed(seed).withDelays(500).withLostTasks(3));
            try (Session bad = openOn(_ -> runtime)) {
                WriteOptions options = WriteOptions.defaults().overwrite().maxRowsPerFile(17);
                Dataset rows = bad.range(1000, 20).map(row -> row.copy());
                assertThat(rows.write(sink(out(), options)).rows()).isEqualTo(1000);
                assertThat(runtime.lostTasks()).isPositive();
            }
            assertThat(ids()).as("seed " + seed).isEqualTo(upTo(1000));
            assertThat(Path.of(out(), "_temporary")).doesNotExist();
        }
    }
}

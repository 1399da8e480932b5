package dev.millrace.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.compression.IpcCompression;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.source.ReadArrow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Pins every default: whoever changes one changes this test, and tells the users.
class SettingsDefaultsTest {
    private static final long MIB = 1L << 20;

    @Test
    void blocks() {
        assertThat(BlockSettings.DEFAULT).isEqualTo(new BlockSettings(MIB, 128 * MIB, 1024 * MIB, MIB));
        assertThat(BlockSettings.etl()).isEqualTo(new BlockSettings(64 * MIB, 256 * MIB, 1024 * MIB, MIB));
        assertThat(BlockSettings.images()).isEqualTo(new BlockSettings(32 * MIB, 128 * MIB, 1024 * MIB, MIB));
        assertThat(BlockSettings.analytics()).isEqualTo(new BlockSettings(128 * MIB, 512 * MIB, 1024 * MIB, MIB));
        assertThat(BlockSettings.memoryConstrained()).isEqualTo(new BlockSettings(16 * MIB, 64 * MIB, 256 * MIB, MIB));
        assertThat(BlockSettings.shuffleHeavy()).isEqualTo(new BlockSettings(64 * MIB, 512 * MIB, 1024 * MIB, MIB));
    }

    @Test
    void shuffleTargetsAreSetAloneAndKeepTheOthersBelow() {
        BlockSettings blocks = BlockSettings.DEFAULT.withShuffleTargetBytes(512 * MIB);
        assertThat(blocks).isEqualTo(new BlockSettings(MIB, 128 * MIB, 512 * MIB, MIB));
        assertThat(BlockSettings.DEFAULT.withShuffleTargetBytes(64 * MIB))
                .isEqualTo(new BlockSettings(MIB, 64 * MIB, 64 * MIB, MIB));
    }

    @Test
    void computePrintsAsItIsWritten() {
        assertThat(Compute.defaults()).hasToString("Compute.defaults()");
        assertThat(Compute.tasks()).hasToString("Compute.tasks()");
        assertThat(Compute.tasks(8).cpus(0.25)).hasToString("Compute.tasks(8).cpus(0.25)");
        assertThat(Compute.actors(4).batchSize(32)).hasToString("Compute.actors(4).batchSize(32)");
        assertThat(Compute.actors(1, 4)
                        .batchSize(Compute.AUTO)
                        .gpus(1)
                        .memory(4096)
                        .resource("tpu", 2)
                        .name("resize")
                        .onError(ErrorPolicy.skip()))
                .hasToString("Compute.actors(1, 4).batchSize(AUTO).gpus(1).memory(4096).resource(tpu, 2).name(resize)"
                        + ".onError(skip)");
        assertThat(Compute.actors(8).within(Resources.cpus(2))).hasToString("Compute.actors(2, of 8 asked for)");
    }

    @Test
    void limits() {
        assertThat(ResourceLimits.DEFAULT).isEqualTo(new ResourceLimits(null, null, null, Map.of(), null));
    }

    @Test
    void execution() {
        assertThat(ExecutionSettings.DEFAULT).isEqualTo(new ExecutionSettings(true, 2, 2.0, 0.5, 2));
    }

    @Test
    void iteration() {
        assertThat(IterationSettings.DEFAULT).isEqualTo(new IterationSettings(256, 1));
        assertThat(BatchOptions.defaults().or(IterationSettings.DEFAULT))
                .isEqualTo(new BatchOptions(256, 1, false, 0, 0, false));
    }

    @Test
    void progress() {
        assertThat(ProgressSettings.DEFAULT)
                .isEqualTo(
                        new ProgressSettings(ProgressSettings.Mode.AUTO, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    }

    @Test
    void faults() {
        assertThat(FaultSettings.DEFAULT)
                .isEqualTo(new FaultSettings(
                        0,
                        0,
                        List.of(),
                        10,
                        Duration.ofSeconds(32),
                        3,
                        Duration.ofMinutes(30),
                        Duration.ofSeconds(30)));
    }

    @Test
    void all() {
        assertThat(Settings.DEFAULT)
                .isEqualTo(new Settings(
                        BlockSettings.DEFAULT,
                        ResourceLimits.DEFAULT,
                        ExecutionSettings.DEFAULT,
                        IterationSettings.DEFAULT,
                        ProgressSettings.DEFAULT,
                        FaultSettings.DEFAULT,
                        SpillSettings.DEFAULT,
                        RunLimits.DEFAULT,
                        ClusterSettings.DEFAULT,
                        DashboardSettings.OFF,
                        LogSettings.OFF));
        assertThat(LogSettings.OFF).isEqualTo(new LogSettings(LogSettings.Mode.OFF, null, 100));
        assertThat(DashboardSettings.OFF).isEqualTo(new DashboardSettings(false, "127.0.0.1", 8265, null, null, 1_000));
        assertThat(ClusterSettings.DEFAULT)
                .isEqualTo(new ClusterSettings(null, null, null, true, Duration.ofSeconds(30), null));
        assertThat(RunLimits.DEFAULT).isEqualTo(new RunLimits(null, null, null));
    }

    @Test
    void spilling() {
        assertThat(SpillSettings.DEFAULT).isEqualTo(new SpillSettings(List.of(), null, IpcCompression.LZ4, true));
        assertThat(SpillSettings.OFF).isEqualTo(new SpillSettings(List.of(), null, IpcCompression.LZ4, false));
        assertThatThrownBy(() -> SpillSettings.DEFAULT.withCapBytes(0))
                .hasMessage("The cap on spilled bytes must be 1 or more, not 0. SpillSettings.OFF turns spilling off.");
    }

    @Test
    void computeTakesOneCpuAndNoBatchSize() {
        assertThat(Compute.defaults().resources()).isEqualTo(Resources.cpus(1));
        assertThat(Compute.defaults().strategy()).isNull();
        assertThat(Compute.defaults().batchSize()).isNull();
        assertThat(Compute.tasks().strategy()).isEqualTo(new Compute.Tasks(Integer.MAX_VALUE));
        assertThat(Compute.actors(2, 4).strategy()).isEqualTo(new Compute.Actors(2, 4, 2, 1));
        assertThat(Compute.actors(1).gpus(1).resources().cpus()).isZero();
    }

    @Test
    void readArrowLeavesPathsOut() {
        assertThat(ReadArrow.defaults().files().paths()).isFalse();
    }
}

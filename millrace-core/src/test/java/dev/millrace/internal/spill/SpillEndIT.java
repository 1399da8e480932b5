package dev.millrace.internal.spill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.SpillSettings;
import dev.millrace.testing.ChildJvm;
import dev.millrace.testing.LongBlocks;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a process leaves on disk that ends in the middle of spilling.
@Timeout(60)
class SpillEndIT {
    @TempDir
    Path folder;

    private Process start(String how) throws Exception {
        Process job = ChildJvm.start(
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), SpillJob.class, how, folder.toString());
        assertThat(job.inputReader().readLine()).isEqualTo("spilled");
        return job;
    }

    @Test
    void aProcessThatExitsLeavesNothing() throws Exception {
        Process job = start("exit");
        assertThat(job.waitFor()).isZero();
        assertThat(SpillFolder.everything(folder)).isEmpty();
    }

    @Test
    void aProcessThatIsTerminatedLeavesNothing() throws Exception {
        Process job = start("wait");
        assertThat(SpillFolder.blocks(folder)).isNotEmpty();
        job.destroy();
        assertThat(job.waitFor()).isNotZero();
        assertThat(SpillFolder.everything(folder)).isEmpty();
    }

    @Test
    void whatAKilledProcessLeavesGoesWithTheNextSpill() throws Exception {
        Process job = start("wait");
        job.destroyForcibly().waitFor();
        assertThat(SpillFolder.blocks(folder)).isNotEmpty();
        try (Allocator memory = Allocator.root("session", 1 << 20);
                SpillStore store = new SpillStore(SpillSettings.DEFAULT.withDirectories(folder.toString()), memory);
                Block block = LongBlocks.range(memory, 0, 10)) {
            store.write(block);
            assertThat(SpillFolder.blocks(folder)).hasSize(1);
        }
        assertThat(SpillFolder.everything(folder)).isEmpty();
    }
}

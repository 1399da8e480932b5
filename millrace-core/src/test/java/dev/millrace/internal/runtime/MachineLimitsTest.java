package dev.millrace.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineLimitsTest {
    private static final String MEMINFO = """
        MemTotal:       24684100 kB
        MemFree:        23646128 kB
        MemAvailable:   24231664 kB
        """;
    private static final long PHYSICAL = 24684100L << 10;

    @TempDir
    Path root;

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void thisMachineHasSomething() {
        MachineLimits machine = MachineLimits.local();
        assertThat(machine.cpus()).isPositive();
        assertThat(machine.gpus()).isNotNegative();
        assertThat(machine.memory()).isGreaterThan(64L << 20);
    }

    @Test
    void withoutAContainerTheMemoryIsThatOfTheMachine() throws IOException {
        file("proc/meminfo", MEMINFO);
        assertThat(MachineLimits.read(root, 8)).isEqualTo(new MachineLimits(8, 0, PHYSICAL));
    }

    @Test
    void withoutProcTheSystemIsAsked() {
        assertThat(MachineLimits.read(root, 1).memory()).isGreaterThan(64L << 20);
    }

    @Test
    void aContainerOfVersionTwoLimitsMemory() throws IOException {
        file("proc/meminfo", MEMINFO);
        file("proc/self/cgroup", "0::/\n");
        file("sys/fs/cgroup/memory.max", "2147483648\n");
        assertThat(MachineLimits.read(root, 2).memory()).isEqualTo(2L << 30);
    }

    @Test
    void aGroupAboveMayBeTheTighterOne() throws IOException {
        file("proc/meminfo", MEMINFO);
        file("proc/self/cgroup", "0::/system.slice/job.scope\n");
        file("sys/fs/cgroup/system.slice/job.scope/memory.max", "max\n");
        file("sys/fs/cgroup/system.slice/memory.max", "1073741824\n");
        assertThat(MachineLimits.read(root, 2).memory()).isEqualTo(1L << 30);
    }

    @Test
    void aContainerOfVersionOneLimitsMemoryAlsoWhenItsGroupIsMountedAsRoot() throws IOException {
        file("proc/meminfo", MEMINFO);
        file("proc/self/cgroup", "9:name=systemd:/\n4:memory:/docker/0123abc\n1:cpu,cpuacct:/docker/0123abc\n0::/\n");
        file("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
        assertThat(MachineLimits.read(root, 2).memory()).isEqualTo(512L << 20);
    }

    @Test
    void noLimitHasManySpellings() throws IOException {
        assertThat(MachineLimits.limitOfCgroup("max\n")).isEqualTo(Long.MAX_VALUE);
        assertThat(MachineLimits.limitOfCgroup("-1")).isEqualTo(Long.MAX_VALUE);
        assertThat(MachineLimits.limitOfCgroup("")).isEqualTo(Long.MAX_VALUE);
        assertThat(MachineLimits.limitOfCgroup("1048576\n")).isEqualTo(1L << 20);
        file("proc/meminfo", MEMINFO);
        file("proc/self/cgroup", "4:memory:/process_api/1\n");
        file("sys/fs/cgroup/memory/process_api/1/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(MachineLimits.read(root, 2).memory()).isEqualTo(PHYSICAL);
    }

    @Test
    void aGroupOutsideTheMountIsNotFollowed() throws IOException {
        file("proc/meminfo", MEMINFO);
        file("proc/self/cgroup", "0::/../../etc\n");
        assertThat(MachineLimits.read(root, 2).memory()).isEqualTo(PHYSICAL);
    }

    @Test
    void meminfoWithoutATotalSaysNothing() {
        assertThat(MachineLimits.totalOfMeminfo("MemFree: 12 kB\n")).isEmpty();
        assertThat(MachineLimits.totalOfMeminfo("")).isEmpty();
        assertThat(MachineLimits.totalOfMeminfo(MEMINFO)).hasValue(PHYSICAL);
    }

    @Test
    void gpusAreTheNumberedDevicesOnly() throws IOException {
        for (String device :
                new String[] {"nvidia0", "nvidia1", "nvidia10", "nvidiactl", "nvidia-uvm", "nvidia0x", "null"}) {
            file("dev/" + device, "");
        }
        assertThat(MachineLimits.countGpus(root.resolve("dev"))).isEqualTo(3);
        assertThat(MachineLimits.countGpus(root.resolve("none"))).isZero();
    }

    @Test
    void theStoreIsThirtyPercentOfMemoryAndADatasetMayUseHalfOfIt() {
        MachineLimits machine = new MachineLimits(8, 1, 100_000);
        assertThat(machine.storeBytes()).isEqualTo(30_000);
        assertThat(machine.datasetBytes()).isEqualTo(15_000);
        assertThat(machine.resources().memory()).isEqualTo(70_000);
        assertThat(machine.resources().cpus()).isEqualTo(8);
        assertThat(machine.resources().gpus()).isEqualTo(1);
    }

    @Test
    void tasksShareTheFilesThatTheProcessMayOpen() {
        assertThat(MachineLimits.filesPerTask(64, 1_000_000, 16)).isEqualTo(64);
        assertThat(MachineLimits.filesPerTask(64, 960, 16)).isEqualTo(15);
        assertThat(MachineLimits.filesPerTask(64, 3, 16)).isEqualTo(2);
        assertThat(MachineLimits.filesPerTask(1, -1, 16)).isEqualTo(1);
        assertThat(MachineLimits.filesPerTask(64)).isBetween(2, 64);
    }
}

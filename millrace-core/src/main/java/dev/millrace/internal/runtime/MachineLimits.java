package dev.millrace.internal.runtime;

import dev.millrace.compute.Resources;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// What this process may use of the machine it runs on: the smaller of the hardware and the limits of its container.
///
/// @param memory bytes of the machine or its container, for everything: heap, blocks, native libraries
public record MachineLimits(int cpus, int gpus, long memory) {
    /// The share of memory that blocks may take, and the share of that for one dataset.
    private static final double STORE_SHARE = 0.3;

    private static final double DATASET_SHARE = 0.5;
    private static final long FALLBACK_MEMORY = 4L << 30;
    private static final int MIN_FILES_PER_TASK = 2;

    /// Asked once: the program takes a second where a driver has to be loaded.
    private static final class ReportedGpus {
        static final int COUNT = count(NvidiaSmi.onPath(System.getenv("PATH")));

        static int count(Optional<NvidiaSmi> program) {
            return program.map(found -> found.read().size()).orElse(0);
        }
    }

    /// Reads the limits now; some file reads, and a process only where GPUs are there in no other way.
    public static MachineLimits local() {
        MachineLimits limits = read(Path.of("/"), Runtime.getRuntime().availableProcessors());
        return new MachineLimits(limits.cpus, VisibleGpus.local().names().size(), limits.memory);
    }

    /// The GPUs of this machine, whether this process may use them or not. Some systems have no device files for them.
    static int installedGpus() {
        int devices = countGpus(Path.of("/dev"));
        if (devices > 0) {
            return devices;
        }
        return System.getProperty(NvidiaSmi.PROPERTY) == null
                ? ReportedGpus.COUNT
                : ReportedGpus.count(NvidiaSmi.local());
    }

    static MachineLimits read(Path root, int cpus) {
        return new MachineLimits(cpus, countGpus(root.resolve("dev")), memoryOf(root));
    }

    /// Bytes of block memory for all datasets of a process.
    public long storeBytes() {
        return (long) (memory * STORE_SHARE);
    }

    /// Bytes of block memory for one dataset.
    public long datasetBytes() {
        return (long) (storeBytes() * DATASET_SHARE);
    }

    /// The resources that tasks may request. Memory is what the block store leaves.
    public Resources resources() {
        return new Resources(cpus, gpus, memory - storeBytes(), Map.of());
    }

    /// How many files one task may keep open, at most `most`: a quarter of what the process may still open, shared by
    /// as many tasks as there are CPUs.
    public static int filesPerTask(int most) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.UnixOperatingSystemMXBean unix
                ? filesPerTask(
                        most,
                        unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount(),
                        Runtime.getRuntime().availableProcessors())
                : most;
    }

    static int filesPerTask(int most, long free, int cpus) {
        return Math.clamp(free / 4 / cpus, Math.min(MIN_FILES_PER_TASK, most), most);
    }

    private static long memoryOf(Path root) {
        OptionalLong total = text(root.resolve("proc/meminfo"))
                .map(MachineLimits::totalOfMeminfo)
                .orElse(OptionalLong.empty());
        long physical = total.orElseGet(MachineLimits::memoryOfTheSystem);
        return Math.min(physical, containerLimit(root));
    }

    private static long memoryOfTheSystem() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                        && system.getTotalMemorySize() > 0
                ? system.getTotalMemorySize()
                : FALLBACK_MEMORY;
    }

    /// The smallest memory limit of this process's control groups and all above them; Long.MAX_VALUE if there is none.
    static long containerLimit(Path root) {
        long limit = Long.MAX_VALUE;
        for (String line :
                text(root.resolve("proc/self/cgroup")).orElse("").lines().toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                limit = Math.min(limit, smallestLimit(root.resolve("sys/fs/cgroup"), parts[2], "memory.max"));
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory")) {
                limit = Math.min(
                        limit, smallestLimit(root.resolve("sys/fs/cgroup/memory"), parts[2], "memory.limit_in_bytes"));
            }
        }
        return limit;
    }

    /// A group's path may not exist below the mount (a container sees its own group as the root), so every existing
    /// level counts.
    private static long smallestLimit(Path mount, String group, String file) {
        long limit = Long.MAX_VALUE;
        Path at = mount.resolve(group.replaceFirst("^/+", "")).normalize();
        while (at != null && at.startsWith(mount)) {
            limit = Math.min(
                    limit,
                    text(at.resolve(file)).map(MachineLimits::limitOfCgroup).orElse(Long.MAX_VALUE));
            at = at.getParent();
        }
        return limit;
    }

    /// The bytes in a `memory.max` or `memory.limit_in_bytes`; Long.MAX_VALUE for no limit, however it is written.
    static long limitOfCgroup(String text) {
        try {
            long bytes = Long.parseLong(text.strip());
            return bytes > 0 ? bytes : Long.MAX_VALUE;
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /// The bytes of `MemTotal:       24684100 kB`.
    static OptionalLong totalOfMeminfo(String text) {
        return text.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length >= 2 && words[0].equals("MemTotal:") && words[1].matches("\\d+"))
                .mapToLong(words -> Long.parseLong(words[1]) << 10)
                .findFirst();
    }

    /// NVIDIA's devices are /dev/nvidia0, nvidia1, ...; nvidiactl and the like are not.
    static int countGpus(Path dev) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(dev, "nvidia[0-9]*")) {
            int count = 0;
            for (Path device : found) {
                count += device.getFileName().toString().matches("nvidia\\d+") ? 1 : 0;
            }
            return count;
        } catch (IOException | DirectoryIteratorException e) {
            return 0;
        }
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}

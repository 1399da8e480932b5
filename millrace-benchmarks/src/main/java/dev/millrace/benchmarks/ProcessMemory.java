package dev.millrace.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.stream.Stream;

/// The resident memory of processes as Linux reports it, in millions of bytes; 0 on other systems.
public final class ProcessMemory {
    private ProcessMemory() {}

    /// The peak of this process.
    public static long peakMb() {
        return kilobytes(Path.of("/proc/self/status"), "VmHWM:") * 1024 / 1_000_000;
    }

    /// The peak of another process so far.
    static long peakMb(long pid) {
        return kilobytes(Path.of("/proc", Long.toString(pid), "status"), "VmHWM:") * 1024 / 1_000_000;
    }

    /// The current memory of this process.
    public static long nowMb() {
        return kilobytes(Path.of("/proc/self/status"), "VmRSS:") * 1024 / 1_000_000;
    }

    /// The current memory of several processes; shared pages count once.
    static long sumMb(Collection<ProcessHandle> processes) {
        long kilobytes = 0;
        for (ProcessHandle each : processes) {
            kilobytes += kilobytes(Path.of("/proc", Long.toString(each.pid()), "smaps_rollup"), "Pss:");
        }
        return kilobytes * 1024 / 1_000_000;
    }

    private static long kilobytes(Path file, String label) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(label))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException _) {
            return 0; // it has ended
        }
    }
}

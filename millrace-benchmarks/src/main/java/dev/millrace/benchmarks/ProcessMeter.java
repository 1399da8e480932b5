package dev.millrace.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The CPU time and the memory of several processes, of which some end and others begin; as Linux reports them. What a
/// process used between the last sample and its end is not seen. Thread-safe.
public final class ProcessMeter {
    /// Of the fields of `/proc/PID/stat` after the name: state is the first.
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;
    private static final int STARTED = 19;

    /// Linux counts in hundredths of a second on all common machines.
    private static final double TICKS_PER_SECOND = 100;

    private final Supplier<? extends Collection<ProcessHandle>> processes;
    private final Map<Process, Long> ticks = new HashMap<>();
    private long peakMb;

    /// A number may be given to another process later, which has begun later.
    private record Process(long pid, long started) {}

    private record Reading(Process process, long ticks) {}

    /// @param processes those that run now
    public ProcessMeter(Supplier<? extends Collection<ProcessHandle>> processes) {
        this.processes = processes;
    }

    /// The CPU seconds of all processes that were ever seen, ended ones too.
    public synchronized double cpuSeconds() {
        Set<ProcessHandle> now = Set.copyOf(processes.get());
        now.forEach(this::read);
        return ticks.values().stream().mapToLong(Long::longValue).sum() / TICKS_PER_SECOND;
    }

    /// Looks at CPU and memory.
    public synchronized void sample() {
        cpuSeconds();
        peakMb = Math.max(peakMb, ProcessMemory.sumMb(processes.get()));
    }

    /// The most memory of any sample, in millions of bytes; shared pages count once.
    public synchronized long peakMb() {
        return peakMb;
    }

    private void read(ProcessHandle handle) {
        Reading reading = reading(handle.pid());
        if (reading != null) {
            ticks.merge(reading.process(), reading.ticks(), Math::max);
        }
    }

    private static @Nullable Reading reading(long pid) {
        String stat;
        try {
            stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return null; // it has ended
        }
        // "pid (name) state ...": the name may hold spaces and parentheses.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return new Reading(
                new Process(pid, Long.parseLong(fields[STARTED])),
                Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]));
    }
}

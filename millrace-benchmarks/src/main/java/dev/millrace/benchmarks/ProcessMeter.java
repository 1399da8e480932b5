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
    private static final int CHILDREN_USER_TICKS = 13;
    private static final int CHILDREN_SYSTEM_TICKS = 14;
    private static final int STARTED = 19;

    /// Linux counts in hundredths of a second on all common machines.
    private static final double TICKS_PER_SECOND = 100;

    private final Supplier<? extends Collection<ProcessHandle>> processes;
    private final Map<Process, Long> ticks = new HashMap<>();
    private final Map<Long, Long> peaks = new HashMap<>();
    private long sumMb;

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
        Collection<ProcessHandle> now = processes.get();
        for (ProcessHandle each : now) {
            peaks.merge(each.pid(), ProcessMemory.peakMb(each.pid()), Math::max);
        }
        if (peaks.size() > 1) {
            sumMb = Math.max(sumMb, ProcessMemory.sumMb(now));
        }
    }

    /// The most memory in millions of bytes: the peak of a single process, as the system keeps it; of several the
    /// largest sum of any sample, in which shared pages count once, but no less than the largest of them.
    public synchronized long peakMb() {
        return Math.max(
                sumMb, peaks.values().stream().mapToLong(Long::longValue).max().orElse(0));
    }

    /// The CPU seconds of all children of this process that have ended, with what these had waited for.
    static double endedChildrenSeconds() {
        String[] fields = fields("self");
        return fields == null
                ? 0
                : (Long.parseLong(fields[CHILDREN_USER_TICKS]) + Long.parseLong(fields[CHILDREN_SYSTEM_TICKS]))
                        / TICKS_PER_SECOND;
    }

    private void read(ProcessHandle handle) {
        Reading reading = reading(handle.pid());
        if (reading != null) {
            ticks.merge(reading.process(), reading.ticks(), Math::max);
        }
    }

    private static @Nullable Reading reading(long pid) {
        String[] fields = fields(Long.toString(pid));
        return fields == null
                ? null
                : new Reading(
                        new Process(pid, Long.parseLong(fields[STARTED])),
                        Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]));
    }

    /// Null if the process has ended.
    private static String @Nullable [] fields(String pid) {
        String stat;
        try {
            stat = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return null;
        }
        // "pid (name) state ...": the name may hold spaces and parentheses.
        return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    }
}

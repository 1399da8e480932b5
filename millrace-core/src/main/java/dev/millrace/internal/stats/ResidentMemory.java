package dev.millrace.internal.stats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// How much memory this process and those that it started take, as Linux tells it. Thread-safe.
public final class ResidentMemory {
    private static final Path PROCESSES = Path.of("/proc");
    private static final AtomicLong CHILDREN = new AtomicLong();

    private ResidentMemory() {}

    /// Looks at the processes that this one started: to be called when something large was loaded, and before it goes.
    public static void sample() {
        long children = ProcessHandle.current()
                .descendants()
                .mapToLong(child -> field(Long.toString(child.pid()), "VmHWM:"))
                .filter(bytes -> bytes > 0)
                .sum();
        CHILDREN.accumulateAndGet(children, Math::max);
    }

    /// The most that this process had, and the most that the others had at a sample; 0 if that is not known.
    public static long peakBytes() {
        long own = field("self", "VmHWM:");
        return own <= 0 ? 0 : own + CHILDREN.get();
    }

    private static long field(String process, String name) {
        try {
            for (String line : Files.readAllLines(PROCESSES.resolve(process).resolve("status"))) {
                if (line.startsWith(name)) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
                }
            }
        } catch (IOException | NumberFormatException _) {
            // Not Linux, or the process has ended.
        }
        return 0;
    }
}

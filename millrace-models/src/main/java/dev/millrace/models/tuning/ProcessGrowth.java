package dev.millrace.models.tuning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// The growth of this process while something runs, measured by frequent sampling. 0 if the system does not report it.
final class ProcessGrowth implements AutoCloseable {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long EVERY_MILLIS = 10;

    private final long before = residentBytes();
    private final AtomicLong peak = new AtomicLong(before);
    private final Thread watcher;

    ProcessGrowth() {
        watcher = Thread.ofPlatform().daemon().name("millrace-tune-memory").start(() -> {
            try {
                while (before > 0) {
                    look();
                    Thread.sleep(EVERY_MILLIS);
                }
            } catch (InterruptedException _) {
                // closed
            }
        });
    }

    /// The maximum so far.
    long bytes() {
        look();
        return peak.get() - before;
    }

    private void look() {
        peak.accumulateAndGet(residentBytes(), Math::max);
    }

    static long residentBytes() {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
                }
            }
        } catch (IOException | NumberFormatException _) {
            // another system
        }
        return 0;
    }

    @Override
    public void close() {
        watcher.interrupt();
    }
}

package dev.millrace.benchmarks;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Samples the memory of this process while something runs, to see whether it grows.
public final class MemoryReading {
    private static final long EVERY_MILLIS = 50;

    private final List<Long> samples = new ArrayList<>();
    private @Nullable Thread watcher;

    /// Starts sampling and discards earlier samples.
    public void begin() {
        samples.clear();
        watcher = Thread.ofPlatform().daemon().name("memory-line").start(() -> {
            try {
                while (true) {
                    samples.add(ProcessMemory.nowMb());
                    Thread.sleep(EVERY_MILLIS);
                }
            } catch (InterruptedException _) {
                // ended
            }
        });
    }

    public void end() throws InterruptedException {
        Thread begun = requireNonNull(watcher, "sampling has not begun");
        begun.interrupt();
        begun.join(); // its samples are read afterwards
    }

    /// The maximum in the first half of the time.
    public double firstHalfMb() {
        return most(0, samples.size() / 2);
    }

    public double secondHalfMb() {
        return most(samples.size() / 2, samples.size());
    }

    private double most(int from, int to) {
        return samples.subList(from, to).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }
}

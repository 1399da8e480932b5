package dev.millrace.internal.runtime;

import dev.millrace.stats.GpuStats;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Watches GPUs of this machine while actors have them: one process of [NvidiaSmi], whose lines a thread reads. Figures
/// begin when the first actor starts, and stay after the last has ended. Without the program there are none.
/// Thread-safe.
public final class GpuMonitor {
    private final Supplier<Optional<NvidiaSmi>> program;
    private final Supplier<VisibleGpus> visible;
    private final LongSupplier clock;
    /// The names of the devices that actors have, once for each actor.
    private final List<String> held = new ArrayList<>();

    private final Map<Integer, Watched> watched = new TreeMap<>();
    private @Nullable Process process;

    private static final class Watched {
        long last;
        long nanos;
        double busyNanos;
        long peakBytes;
        NvidiaSmi.Reading reading;

        Watched(NvidiaSmi.Reading reading, long now) {
            this.reading = reading;
            this.last = now;
        }

        void add(NvidiaSmi.Reading next, long now) {
            reading = next;
            peakBytes = Math.max(peakBytes, next.usedBytes());
            // A reading is of the time before it.
            if (!Double.isNaN(next.busy())) {
                nanos += now - last;
                busyNanos += next.busy() * (now - last);
            }
            last = now;
        }

        GpuStats stats() {
            return new GpuStats(
                    reading.device(),
                    reading.name(),
                    nanos,
                    (long) busyNanos,
                    reading.usedBytes(),
                    peakBytes,
                    reading.totalBytes());
        }
    }

    public GpuMonitor() {
        this(NvidiaSmi::local, VisibleGpus::local, System::nanoTime);
    }

    GpuMonitor(Supplier<Optional<NvidiaSmi>> program, Supplier<VisibleGpus> visible, LongSupplier clock) {
        this.program = program;
        this.visible = visible;
        this.clock = clock;
    }

    /// An actor has got these devices; nothing happens if there are none.
    public synchronized void begin(List<Integer> devices) {
        if (devices.isEmpty()) {
            return;
        }
        boolean isFirst = held.isEmpty();
        VisibleGpus all = visible.get();
        devices.forEach(device -> held.add(all.name(device)));
        if (!isFirst) {
            return;
        }
        watched.clear();
        Optional<NvidiaSmi> found = program.get();
        if (found.isPresent()) {
            try {
                Process started = found.get().follow();
                process = started;
                Thread.ofPlatform().daemon().name("millrace-gpus").start(() -> read(started));
            } catch (IOException _) {
                // There are no figures.
            }
        }
    }

    /// An actor has ended.
    public synchronized void end(List<Integer> devices) {
        if (devices.isEmpty()) {
            return;
        }
        VisibleGpus all = visible.get();
        devices.forEach(device -> held.remove(all.name(device)));
        if (held.isEmpty() && process != null) {
            process.destroy();
            process = null;
        }
    }

    /// Of the devices that actors have or had, in the order of their numbers.
    public synchronized List<GpuStats> stats() {
        return watched.values().stream().map(Watched::stats).toList();
    }

    private void read(Process from) {
        try (BufferedReader lines = from.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                NvidiaSmi.Reading.of(line).ifPresent(reading -> take(from, reading));
            }
        } catch (IOException _) {
            // It was ended.
        } finally {
            from.destroy();
        }
    }

    private synchronized void take(Process from, NvidiaSmi.Reading reading) {
        if (!from.equals(process) || held.stream().noneMatch(name -> isNameOf(name, reading))) {
            return;
        }
        long now = clock.getAsLong();
        watched.computeIfAbsent(reading.device(), _ -> new Watched(reading, now))
                .add(reading, now);
    }

    /// CUDA takes the beginning of a name, too.
    private static boolean isNameOf(String name, NvidiaSmi.Reading reading) {
        return name.equals(String.valueOf(reading.device()))
                || name.startsWith("GPU-") && reading.uuid().startsWith(name);
    }
}

package dev.millrace.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.stats.GpuStats;
import dev.millrace.stats.RunStats;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a fake `nvidia-smi` reports of two GPUs; a real one was not at hand.
class GpuMonitorTest {
    private static final long MIB = 1L << 20;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final String FIRST = "0, GPU-aa11, 37, 1204, 143771, NVIDIA H200";
    private static final String SECOND = "1, GPU-bb22, 5, 10, 143771, NVIDIA H200, of a kind";

    @TempDir
    static Path folder;

    private static Path fake;

    @BeforeAll
    static void makeTheFake() throws IOException {
        fake = folder.resolve("nvidia-smi");
        String lines = "echo '" + FIRST + "' && echo '" + SECOND + "'";
        Files.writeString(fake, """
                #!/bin/sh
                # A fake, not NVIDIA's.
                LINES_OF_GPUS
                case "$*" in *--loop*) while sleep 0.05 && LINES_OF_GPUS; do :; done ;; esac
                """.replace("LINES_OF_GPUS", lines));
        Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void readingsAreLinesOfSixValues() {
        assertThat(NvidiaSmi.Reading.of(FIRST))
                .contains(new NvidiaSmi.Reading(0, "GPU-aa11", 0.37, 1204 * MIB, 143771 * MIB, "NVIDIA H200"));
        assertThat(NvidiaSmi.Reading.of(SECOND).orElseThrow().name()).isEqualTo("NVIDIA H200, of a kind");
        NvidiaSmi.Reading part = NvidiaSmi.Reading.of("3, GPU-cc33, [N/A], [N/A], [Not Supported], A100 MIG")
                .orElseThrow();
        assertThat(part.busy()).isNaN();
        assertThat(part.usedBytes()).isZero();
        assertThat(NvidiaSmi.Reading.of("No devices were found")).isEmpty();
        assertThat(NvidiaSmi.Reading.of("NVIDIA-SMI has failed because it could not, for a, b, c, d, e"))
                .isEmpty();
        assertThat(NvidiaSmi.Reading.of("")).isEmpty();
    }

    @Test
    void theProgramIsFoundOnThePathAndCountsGpus() {
        assertThat(NvidiaSmi.onPath(null)).isEmpty();
        assertThat(NvidiaSmi.onPath("/nowhere" + File.pathSeparator)).isEmpty();
        NvidiaSmi found =
                NvidiaSmi.onPath("/nowhere" + File.pathSeparator + folder).orElseThrow();
        assertThat(found.program()).isEqualTo(fake);
        assertThat(found.read()).extracting(NvidiaSmi.Reading::device).containsExactly(0, 1);
        assertThat(new NvidiaSmi(folder.resolve("none")).read()).isEmpty();
        assertThat(new NvidiaSmi(Path.of("/bin/false")).read()).isEmpty();
    }

    @Test
    void aVariableNamesTheGpusOfThisProcessAndOfThoseThatItStarts() {
        assertThat(VisibleGpus.of(null, 2).names()).containsExactly("0", "1");
        assertThat(VisibleGpus.of("", 2).names()).isEmpty();
        assertThat(VisibleGpus.of("-1", 2).names()).isEmpty();
        assertThat(VisibleGpus.of("3, 1", 4).names()).containsExactly("3", "1");
        assertThat(VisibleGpus.of("3,7,1", 4).names()).containsExactly("3");
        assertThat(VisibleGpus.of("GPU-bb22,MIG-1", 4).names()).containsExactly("GPU-bb22", "MIG-1");
        assertThat(VisibleGpus.of("0,1", 0).names()).isEmpty();
        assertThat(VisibleGpus.of("3,1", 4).variable(List.of(1, 0))).isEqualTo("1,3");
        assertThat(VisibleGpus.of(null, 4).variable(List.of(2))).isEqualTo("2");
        assertThat(VisibleGpus.of(null, 0).variable(List.of(0))).isEqualTo("0");
    }

    @Test
    void onlyTheGpusThatActorsHaveAreWatched() throws InterruptedException {
        Queue<Long> times = new ArrayDeque<>();
        for (long second = 1; second <= 1000; second++) {
            times.add(second * 1_000_000_000);
        }
        GpuMonitor monitor = new GpuMonitor(
                () -> Optional.of(new NvidiaSmi(fake)), () -> new VisibleGpus(List.of("GPU-bb", "0")), times::remove);
        monitor.begin(List.of());
        assertThat(monitor.stats()).isEmpty();
        monitor.begin(List.of(0));
        GpuStats seen = seen(monitor);
        monitor.end(List.of(0));
        assertThat(monitor.stats()).extracting(GpuStats::device).containsExactly(1);
        assertThat(seen.busy()).isCloseTo(0.05, within(1e-9));
        assertThat(seen.idleNanos()).isCloseTo((long) (0.95 * seen.watchedNanos()), within(2L));
        assertThat(seen.peakMemoryBytes()).isEqualTo(10 * MIB);
        assertThat(seen.totalMemoryBytes()).isEqualTo(143771 * MIB);
    }

    @Test
    void withoutTheProgramThereAreNoFigures() {
        GpuMonitor none = new GpuMonitor(Optional::empty, () -> new VisibleGpus(List.of("0")), System::nanoTime);
        GpuMonitor broken = new GpuMonitor(
                () -> Optional.of(new NvidiaSmi(folder.resolve("none"))),
                () -> new VisibleGpus(List.of("0")),
                System::nanoTime);
        for (GpuMonitor monitor : List.of(none, broken)) {
            monitor.begin(List.of(0));
            assertThat(monitor.stats()).isEmpty();
            monitor.end(List.of(0));
        }
    }

    private static GpuStats seen(GpuMonitor monitor) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (monitor.stats().isEmpty() || monitor.stats().getFirst().watchedNanos() == 0) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(10);
        }
        return monitor.stats().getFirst();
    }

    @Test
    void statsOfARunHaveTheGpusOfItsActors() {
        System.setProperty(NvidiaSmi.PROPERTY, fake.toString());
        Runtime runtime = new EmbeddedRuntime(new Resources(2, 1, 1L << 30, Map.of()));
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(runtime)
                .open()) {
            Dataset rows = session.range(8)
                    .mapBatches(
                            () -> (BatchFunction) batch -> {
                                long deadline = System.nanoTime() + LIMIT.toNanos();
                                while (runtime.gpus().isEmpty()
                                        || runtime.gpus().getFirst().watchedNanos() == 0) {
                                    assertThat(System.nanoTime()).isLessThan(deadline);
                                    Thread.sleep(10);
                                }
                                return batch;
                            },
                            Compute.actors(1).gpus(1).batchSize(8));
            assertThat(rows.takeAll()).hasSize(8);
            RunStats run = rows.lastRun().orElseThrow();
            assertThat(run.gpus()).singleElement().satisfies(gpu -> {
                assertThat(gpu.name()).isEqualTo("NVIDIA H200");
                assertThat(gpu.busy()).isCloseTo(0.37, within(1e-6));
                assertThat(gpu.peakMemoryBytes()).isEqualTo(1204 * MIB);
            });
            assertThat(rows.stats())
                    .contains("GPU 0 (NVIDIA H200): busy 37 % of ", ", idle ", ", memory up to 1.18 GiB of 140 GiB\n");
            // A run without GPUs says nothing of them.
            Dataset plain = session.range(8);
            plain.takeAll();
            assertThat(plain.lastRun().orElseThrow().gpus()).isEmpty();
        } finally {
            System.clearProperty(NvidiaSmi.PROPERTY);
        }
    }
}

package dev.millrace.benchmarks.soak;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.worker.WorkerMain;
import dev.millrace.internal.cluster.worker.WorkerOptions;
import dev.millrace.internal.commit.FolderTrees;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Worker processes on this machine that are killed (SIGKILL) and frozen (SIGSTOP) at random. A killed one is started
/// again at the same address, with another memory; a frozen one goes on after some seconds. They outlive sessions, so
/// whatever a session leaves in them is seen. Thread-safe.
final class SoakWorkers implements AutoCloseable {
    private static final int WORKERS = 3;
    private static final long START_SECONDS = 120;
    private static final String TOKEN = "the token of the soak's workers";

    private final SplittableRandom random;
    private final Path folder;
    private final List<Place> places = new ArrayList<>();
    private final @Nullable Thread disturber;
    private final boolean often;
    private long kills;
    private long freezes;
    private @Nullable String complaint;
    private volatile boolean closed;

    /// Where a worker is: its port stays, its process changes.
    private static final class Place {
        int port;

        @Nullable
        Process process;

        boolean frozen;
        boolean listens;
    }

    /// @param every the mean time from one disturbance to the next; null: one is killed for each pipeline, before it is
    ///     consumed
    SoakWorkers(long seed, @Nullable Duration every) throws IOException, InterruptedException {
        this.often = every != null;
        this.random = new SplittableRandom(seed);
        this.folder = Files.createTempDirectory("millrace-soak-workers");
        Files.writeString(tokenFile(), TOKEN);
        List<CompletableFuture<Void>> ready = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Place place = new Place();
            places.add(place);
            CompletableFuture<Void> listens = new CompletableFuture<>();
            ready.add(listens);
            start(place, listens);
        }
        try {
            CompletableFuture.allOf(ready.toArray(CompletableFuture[]::new)).get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            close();
            throw MillraceException.resources("The soak's workers did not start: " + e + ".");
        }
        disturber = every == null
                ? null
                : Thread.ofPlatform().daemon().name("soak-disturber").start(() -> disturbOften(every));
    }

    /// For a session.
    String address() {
        return places.stream()
                .map(place -> "127.0.0.1:" + place.port)
                .collect(Collectors.joining(",", "millrace://", ""));
    }

    Path tokenFile() {
        return folder.resolve("token");
    }

    synchronized long kills() {
        return kills;
    }

    synchronized long freezes() {
        return freezes;
    }

    /// What a worker has said that it must not: memory that a session left, or tasks that do not end. It may be of an
    /// earlier session, and of the last one it may come too late.
    synchronized @Nullable String complaint() {
        return complaint;
    }

    private synchronized void start(Place place, CompletableFuture<Void> listens) throws IOException {
        if (closed) {
            return;
        }
        long memory = new long[] {24, 64, 256}[random.nextInt(3)] << 20;
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                "--stdin",
                "--listen",
                "127.0.0.1:" + place.port,
                "--cpus",
                "2",
                "--memory",
                Long.toString(memory),
                "--spill",
                folder.resolve("spilled").toString(),
                "--code-cache",
                folder.resolve("code").toString());
        builder.environment().put(WorkerOptions.TOKEN, TOKEN);
        Process process = builder.start();
        place.process = process;
        place.frozen = false;
        place.listens = false;
        Thread.ofPlatform().daemon().name("soak-worker-errors").start(() -> listen(process));
        Thread.ofPlatform().daemon().name("soak-worker").start(() -> follow(place, process, listens));
    }

    /// Waits until it listens, then for its end. Another takes its place.
    private void follow(Place place, Process process, CompletableFuture<Void> listens) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(WorkerOptions.READY + " ")) {
                    place.port = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
                    synchronized (this) {
                        place.listens = true;
                    }
                    listens.complete(null);
                }
            }
        } catch (IOException e) {
            // Its end says more.
        }
        process.onExit().join();
        try {
            start(place, new CompletableFuture<>());
        } catch (IOException e) {
            complain("A worker could not be started: " + e);
        }
    }

    private void listen(Process process) {
        try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains(" left memory: ")
                        || line.contains(" does not end.")
                        || line.contains("OutOfMemory")) {
                    complain("A worker says: " + line);
                }
            }
        } catch (IOException e) {
            // It has ended.
        }
    }

    private synchronized void complain(String sentence) {
        if (complaint == null) {
            complaint = sentence;
        }
    }

    private void disturbOften(Duration every) {
        try {
            while (!closed) {
                long wait;
                synchronized (this) {
                    wait = random.nextLong(every.toMillis() / 2, every.toMillis() * 3 / 2);
                }
                Thread.sleep(wait);
                disturb();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /// A pipeline is about to run.
    void ready() {
        if (!often) {
            disturb();
        }
    }

    /// Kills or freezes a worker; if another is not back yet, mostly not, so that a loaded machine gets on.
    private synchronized void disturb() {
        Place place = places.get(random.nextInt(WORKERS));
        boolean kill = random.nextInt(4) > 0 || !often;
        long frozenMillis = random.nextLong(500, 9000);
        Process process = place.process;
        boolean all = places.stream().allMatch(each -> each.listens && !each.frozen);
        if (closed || process == null || !process.isAlive() || !all && random.nextInt(3) > 0) {
            return;
        }
        if (kill) {
            process.destroyForcibly();
            kills++;
        } else if (!place.frozen) {
            place.frozen = true;
            signal("STOP", process);
            freezes++;
            CompletableFuture.delayedExecutor(frozenMillis, TimeUnit.MILLISECONDS)
                    .execute(() -> thaw(place, process));
        }
    }

    private synchronized void thaw(Place place, Process process) {
        signal("CONT", process);
        if (process.equals(place.process)) {
            place.frozen = false;
        }
    }

    private static void signal(String name, Process process) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        List<Process> ending;
        synchronized (this) {
            closed = true;
            ending = new ArrayList<>();
            places.forEach(place -> {
                if (place.process != null) {
                    ending.add(place.process);
                }
            });
        }
        if (disturber != null) {
            disturber.interrupt();
            disturber.join();
        }
        for (Process process : ending) {
            // Also ends frozen ones.
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
        FolderTrees.delete(folder);
    }
}

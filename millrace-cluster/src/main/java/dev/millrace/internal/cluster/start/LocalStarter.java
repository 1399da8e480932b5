package dev.millrace.internal.cluster.start;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.worker.WorkerMain;
import dev.millrace.internal.cluster.worker.WorkerOptions;
import dev.millrace.internal.runtime.MachineLimits;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.settings.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Worker processes on this machine: `local:3`. Each has an equal share of the CPUs and of the block memory; one that
/// dies is replaced. They end with this process, however it ends, because their standard input does.
public final class LocalStarter implements WorkerStarter {
    private static final long HEAP_SHARE = 4;
    private static final long MIN_HEAP = 256L << 20;

    private final int count;
    private final Settings settings;
    private final List<Process> processes = new ArrayList<>();
    private final WorkerArchive archive = WorkerArchive.ofThisProcess();
    private boolean closed;

    LocalStarter(int count, Settings settings) {
        this.count = count;
        this.settings = settings;
    }

    /// `local:N`.
    public static final class Provider implements StarterProvider {
        /// For [java.util.ServiceLoader].
        public Provider() {}

        @Override
        public String scheme() {
            return "local";
        }

        @Override
        public WorkerStarter open(String address, Settings settings) {
            String number = address.startsWith("local:") ? address.substring("local:".length()) : "";
            if (!number.matches("[1-9][0-9]{0,2}")) {
                throw MillraceException.user("An address of processes on this machine is local:N with a number from 1"
                        + " to 999, such as local:3, not '" + address + "'.");
            }
            return new LocalStarter(Integer.parseInt(number), settings);
        }
    }

    @Override
    public boolean sharesClassPath() {
        return ClassLoader.getSystemClassLoader().equals(Thread.currentThread().getContextClassLoader());
    }

    @Override
    public int expected() {
        return count;
    }

    @Override
    public void start(String token, Listener listener) {
        for (int i = 1; i <= count; i++) {
            startOne(i, token, listener);
        }
    }

    private void startOne(int number, String token, Listener listener) {
        Process process = launch(token);
        String label = "local process " + number + " (pid " + process.pid() + ")";
        // Not a virtual thread: a read from a pipe keeps its carrier, of which there are as few as CPUs.
        Thread.ofPlatform()
                .name("millrace-worker-output")
                .daemon()
                .start(() -> follow(process, number, label, token, listener));
    }

    private synchronized Process launch(String token) {
        if (closed) {
            throw MillraceException.internal("a starter that is closed was asked for a worker");
        }
        ProcessBuilder builder = new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put(WorkerOptions.TOKEN, token);
        try {
            Process process = builder.start();
            processes.add(process);
            return process;
        } catch (IOException e) {
            throw MillraceException.resources("A worker process could not be started: " + e.getMessage() + ".");
        }
    }

    private List<String> command() {
        MachineLimits machine = MachineLimits.local();
        ResourceLimits limits = settings.limits();
        double cpus = limits.slots() != null
                ? limits.slots()
                : Objects.requireNonNullElse(limits.cpus(), (double) machine.cpus());
        long blocks = Objects.requireNonNullElse(
                settings.cluster().workerMemory(),
                Objects.requireNonNullElse(limits.memory(), machine.storeBytes()) / count);
        long heap = Math.max(MIN_HEAP, machine.memory() / HEAP_SHARE / count);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + (heap >> 20) + "m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(WorkerArchive.flags(archive.find()));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                "--stdin",
                "--cpus",
                String.valueOf(Math.max(1, Math.ceil(cpus / count))),
                "--memory",
                String.valueOf(blocks),
                "--task-memory",
                String.valueOf(machine.resources().memory() / count)));
        if (!limits.custom().isEmpty()) {
            command.add("--custom");
            command.add(limits.custom().entrySet().stream()
                    .map(each -> each.getKey() + "=" + each.getValue())
                    .collect(Collectors.joining(",")));
        }
        if (settings.cluster().tlsFile() != null) {
            command.addAll(List.of("--tls", settings.cluster().tlsFile()));
        }
        return command;
    }

    /// Waits for the line that says where the worker listens, then for its end. Another takes its place.
    private void follow(Process process, int number, String label, String token, Listener listener) {
        WorkerAddress address = null;
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                String[] words = line.split(" ", -1);
                if (address == null && words.length == 3 && words[0].equals(WorkerOptions.READY)) {
                    address = new WorkerAddress(words[1], Integer.parseInt(words[2]), label);
                    listener.joined(address);
                }
            }
        } catch (IOException e) {
            // Its end says more.
        }
        int code = process.onExit().join().exitValue();
        if (isClosed()) {
            return;
        }
        if (address == null) {
            listener.failed(
                    "A worker process ended with code " + code + " before it listened; what it printed says why.");
        } else {
            listener.left(address, "its process ended with code " + code);
            try {
                startOne(number, token, listener);
            } catch (MillraceException e) {
                if (!isClosed()) {
                    listener.failed(String.valueOf(e.getMessage()));
                }
            }
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        List<Process> ending;
        synchronized (this) {
            closed = true;
            ending = List.copyOf(processes);
        }
        for (Process process : ending) {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                // It is gone.
            }
        }
        for (Process process : ending) {
            try {
                if (!process.waitFor(5, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        // Not before: the work of this session has the CPUs.
        archive.makeIfMissing();
    }
}

package dev.millrace.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A process that runs a workload some times and prints marks ([RunMarks#PRINTED]) and one line with its seconds and
/// its result. Its CPU time and memory are read from outside, with those of its descendants and of other processes that
/// work for it.
///
/// @param seconds of each run, as the process has measured them
/// @param cpuSeconds of each run, of all processes; empty if it prints no marks
/// @param untilAnswer seconds from the start of the process to its answer
/// @param peakMb the most memory of all processes
/// @param whole from the start of the process to its end
public record MeasuredProcess(
        List<Double> seconds, List<Double> cpuSeconds, String result, double untilAnswer, long peakMb, Whole whole) {
    /// What the process took in all: its start and its end too.
    ///
    /// @param seconds of wall time
    /// @param cpuSeconds of all processes
    public record Whole(double seconds, double cpuSeconds) {}

    private static final Pattern ANSWER = Pattern.compile("\\{\"seconds\": \\[(.*?)], \"result\": \"(.*)\"}");
    private static final long LIMIT_SECONDS = 900;
    private static final long SAMPLE_MILLIS = 50;

    public MeasuredProcess {
        seconds = List.copyOf(seconds);
        cpuSeconds = List.copyOf(cpuSeconds);
    }

    /// The answer of a process as one line.
    public static String answer(List<Double> seconds, String result) {
        return "{\"seconds\": " + seconds + ", \"result\": \"" + result + "\"}";
    }

    /// Runs it to its end.
    ///
    /// @param name for the sentence about a failure
    /// @param others processes that work for it and are not its descendants
    /// @param folder for its error output
    public static MeasuredProcess run(
            String name, ProcessBuilder command, Supplier<? extends Collection<ProcessHandle>> others, Path folder)
            throws IOException, InterruptedException, BenchFailure {
        Path errors = folder.resolve("errors.txt");
        double cpuBefore = ProcessMeter.endedChildrenSeconds();
        long began = System.nanoTime();
        Process process = command.redirectError(errors.toFile()).start();
        ProcessMeter meter = new ProcessMeter(() -> all(process, others));
        Thread sampler = Thread.ofPlatform().daemon().name("process-samples").start(() -> sample(process, meter));
        Thread stop = new Thread(() -> end(process), "process-stop");
        Runtime.getRuntime().addShutdownHook(stop);
        Thread limit = Thread.ofPlatform().daemon().name("process-limit").start(() -> limit(process));
        Matcher answer = null;
        double until = 0;
        double cpu = 0;
        List<Double> cpus = new ArrayList<>();
        try (BufferedReader lines = process.inputReader();
                OutputStream answers = process.getOutputStream()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = ANSWER.matcher(line);
                if (line.equals(RunMarks.BEGINS)) {
                    cpu = meter.cpuSeconds();
                    goOn(answers);
                } else if (line.equals(RunMarks.ENDS)) {
                    cpus.add(meter.cpuSeconds() - cpu);
                    goOn(answers);
                } else if (matcher.matches()) {
                    until = (System.nanoTime() - began) / 1e9;
                    answer = matcher;
                }
            }
        }
        int status = process.waitFor();
        double whole = (System.nanoTime() - began) / 1e9;
        removeHook(stop);
        limit.interrupt();
        sampler.interrupt();
        sampler.join();
        if (answer == null) {
            throw new BenchFailure(name + " gave no result (exit code " + status + "): " + lastLine(errors));
        }
        List<Double> seconds = Arrays.stream(answer.group(1).split(","))
                .map(Double::parseDouble)
                .toList();
        // What the system has counted of a process that has ended is exact; the meter has seen those that go on.
        double wholeCpu = Math.max(ProcessMeter.endedChildrenSeconds() - cpuBefore, meter.cpuSeconds());
        return new MeasuredProcess(seconds, cpus, answer.group(2), until, meter.peakMb(), new Whole(whole, wholeCpu));
    }

    private static void goOn(OutputStream answers) {
        try {
            answers.write('\n');
            answers.flush();
        } catch (IOException e) {
            // It does not wait for answers, or has died, which its end says.
        }
    }

    private static Set<ProcessHandle> all(Process process, Supplier<? extends Collection<ProcessHandle>> others) {
        Set<ProcessHandle> all = new HashSet<>(others.get());
        all.add(process.toHandle());
        process.descendants().forEach(all::add);
        return all;
    }

    private static void sample(Process process, ProcessMeter meter) {
        try {
            while (process.isAlive()) {
                meter.sample();
                Thread.sleep(SAMPLE_MILLIS);
            }
        } catch (InterruptedException _) {
            // measured enough
        }
    }

    /// With what it has started.
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static void removeHook(Thread stop) {
        try {
            Runtime.getRuntime().removeShutdownHook(stop);
        } catch (IllegalStateException e) {
            // This process ends, and the hook ends the other one.
        }
    }

    private static void limit(Process process) {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                end(process);
            }
        } catch (InterruptedException _) {
            // ended in time
        }
    }

    private static String lastLine(Path errors) throws IOException {
        return Files.readAllLines(errors).stream()
                .filter(line -> !line.isBlank())
                .reduce((_, last) -> last)
                .orElse("it wrote no error");
    }
}

package dev.millrace.benchmarks.suite;

import dev.millrace.Session;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.MeasuredProcess;
import dev.millrace.benchmarks.Workload;
import dev.millrace.internal.commit.FolderTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/// Runs a workload of ours in a Java process of its own, as [dev.millrace.benchmarks.PeerRun] runs that of a peer.
///
/// @param java the command that starts Java, with its flags
public record OwnRun(List<String> java, Workload workload, BenchSettings settings) {
    public OwnRun {
        java = List.copyOf(java);
    }

    /// @param name for the sentence about a failure
    /// @param times how often the workload runs in the process
    /// @param others processes that work for it and are not its descendants
    public MeasuredProcess run(String name, int times, Supplier<? extends Collection<ProcessHandle>> others)
            throws IOException, InterruptedException, BenchFailure {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WorkloadMain.class.getName()));
        command.addAll(List.of(workload.name(), Integer.toString(times), Double.toString(settings.scale())));
        if (settings.data() != null) {
            command.add(settings.data().toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("MILLRACE_CLUSTER");
        Path folder = Files.createTempDirectory("millrace-bench");
        try {
            return MeasuredProcess.run(name, builder, others, folder);
        } finally {
            FolderTrees.delete(folder);
        }
    }

    /// The start of a command that runs Java as this process does, without the parts that would put sessions elsewhere.
    public static List<String> java(List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        flags.stream()
                .filter(flag -> !flag.startsWith("-D" + Session.CLUSTER + "="))
                .forEach(command::add);
        return command;
    }
}

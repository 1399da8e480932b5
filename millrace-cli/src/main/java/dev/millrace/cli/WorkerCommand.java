package dev.millrace.cli;

import dev.millrace.internal.cluster.worker.WorkerMain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// A worker in this process, for sessions at `millrace://HOST:PORT`.
@Command(
        name = "worker",
        description = {
            "Runs a worker for sessions at millrace://HOST:PORT until it is stopped.",
            "Its token must be in MILLRACE_TOKEN or a file: whoever has it runs code here."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  MILLRACE_TOKEN=... millrace worker --listen 10.0.0.1:7400 --memory 16g",
            "  millrace worker --token-file token --gpus 1",
        })
final class WorkerCommand implements Callable<Integer> {
    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "where to listen (default: 127.0.0.1:0)")
    private @Nullable String listen;

    @Option(names = "--advertise", paramLabel = "HOST", description = "how others reach it (default: as listened)")
    private @Nullable String advertise;

    @Option(names = "--cpus", paramLabel = "N", description = "tasks of one CPU at a time (default: all)")
    private @Nullable String cpus;

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs (default: all)")
    private @Nullable String gpus;

    @Option(names = "--memory", paramLabel = "BYTES", description = "for blocks, such as 8g (default: 30 %%)")
    private @Nullable String memory;

    @Option(names = "--task-memory", paramLabel = "BYTES", description = "that tasks may ask for (default: the rest)")
    private @Nullable String taskMemory;

    @Option(names = "--custom", paramLabel = "NAME=AMOUNT,...", description = "resources of your own")
    private @Nullable String custom;

    @Option(names = "--spill", paramLabel = "FOLDER", description = "for blocks that do not fit into memory")
    private @Nullable String spill;

    @Option(names = "--token-file", paramLabel = "FILE", description = "with the token")
    private @Nullable String tokenFile;

    @Option(names = "--address-file", paramLabel = "FILE", description = "gets the line with host and port")
    private @Nullable String addressFile;

    @Option(names = "--tls", paramLabel = "FILE", description = "PKCS #12 with key and certificate; encrypts")
    private @Nullable String tls;

    @Option(names = "--stdin", description = "ends when standard input does")
    private boolean stdin;

    @Override
    public Integer call() {
        List<String> line = new ArrayList<>();
        add(line, "--listen", listen);
        add(line, "--advertise", advertise);
        add(line, "--cpus", cpus);
        add(line, "--gpus", gpus);
        add(line, "--memory", memory);
        add(line, "--task-memory", taskMemory);
        add(line, "--custom", custom);
        add(line, "--spill", spill);
        add(line, "--token-file", tokenFile);
        add(line, "--address-file", addressFile);
        add(line, "--tls", tls);
        if (stdin) {
            line.add("--stdin");
        }
        return WorkerMain.run(line.toArray(String[]::new));
    }

    private static void add(List<String> line, String option, @Nullable String value) {
        if (value != null) {
            line.add(option);
            line.add(value);
        }
    }
}

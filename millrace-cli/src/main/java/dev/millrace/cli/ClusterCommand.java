package dev.millrace.cli;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.ray.local.LocalRayCluster;
import dev.millrace.internal.ray.local.RayEnvironment;
import dev.millrace.internal.ray.local.RayNodeProcess;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// A Ray cluster on this machine.
@Command(
        name = "cluster",
        description = "Starts, shows and stops a Ray cluster of several nodes on this machine.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  millrace cluster up --nodes 3",
            "  millrace cluster status",
            "  millrace cluster down",
        },
        subcommands = {ClusterCommand.Up.class, ClusterCommand.Status.class, ClusterCommand.Down.class})
final class ClusterCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /// Where the state of the cluster is; every subcommand has it.
    abstract static class Step implements Callable<Integer> {
        @Spec
        CommandSpec spec;

        @Option(
                names = "--state",
                paramLabel = "FOLDER",
                description =
                        "remembers the cluster and has its Python environment (default: ~/.cache/millrace/cluster)")
        private @Nullable Path state;

        Path state() {
            return state == null ? LocalRayCluster.defaultState() : state.toAbsolutePath();
        }

        PrintWriter out() {
            return spec.commandLine().getOut();
        }

        void say(String line) {
            out().println(line);
            out().flush();
        }
    }

    /// Starts it.
    @Command(
            name = "up",
            description = "Starts a cluster; installs Ray into an environment of its own the first time.",
            mixinStandardHelpOptions = true)
    static final class Up extends Step {
        @Option(names = "--nodes", paramLabel = "N", defaultValue = "3", description = "how many (default: 3)")
        private int nodes;

        @Option(
                names = "--cpus-per-node",
                paramLabel = "N",
                description = "that Ray believes each has (default: the machine's, divided, at least 1)")
        private @Nullable Integer cpus;

        @Option(
                names = "--gpus-per-node",
                paramLabel = "N",
                defaultValue = "0",
                description = "that Ray believes each has (default: those that Ray finds)")
        private int gpus;

        @Option(
                names = "--object-store",
                paramLabel = "MB",
                defaultValue = "100",
                description = "of Ray on each node, which Millrace hardly uses (default: 100)")
        private long objectStore;

        @Option(
                names = "--no-dashboard",
                negatable = true,
                description = "without Ray's dashboard and 'ray job submit', which take about 1 GB of memory")
        private boolean dashboard = true;

        @Option(
                names = "--python",
                paramLabel = "FILE",
                description = "an interpreter that has Ray (default: an environment of its own)")
        private @Nullable String python;

        @Override
        public Integer call() {
            require("--nodes", nodes, 1, 200);
            int each = cpus == null ? Math.max(1, Runtime.getRuntime().availableProcessors() / nodes) : cpus;
            require("--cpus-per-node", each, 1, 10_000);
            require("--gpus-per-node", gpus, 0, 1000);
            require("--object-store", objectStore, 80, 1 << 20);
            LocalRayCluster.refuseSecond(state());
            RayEnvironment environment = python == null
                    ? RayEnvironment.inFolder(state(), basePython(), this::say)
                    : RayEnvironment.of(python);
            say("Starting Ray " + environment.version() + " with " + nodes + (nodes == 1 ? " node" : " nodes")
                    + ", one after the other, some seconds each...");
            LocalRayCluster cluster = LocalRayCluster.up(
                    state(), environment, new LocalRayCluster.Shape(nodes, each, gpus, objectStore << 20, dashboard));
            say(description(cluster));
            return 0;
        }

        private void require(String option, long value, long least, long most) {
            if (value < least || value > most) {
                throw new ParameterException(
                        spec.commandLine(), option + " must be from " + least + " to " + most + ", not " + value + ".");
            }
        }

        private static String basePython() {
            String chosen = System.getenv("MILLRACE_PYTHON");
            return chosen == null || chosen.isBlank() ? "python3" : chosen;
        }
    }

    /// Shows it.
    @Command(name = "status", description = "Shows the cluster that was started.", mixinStandardHelpOptions = true)
    static final class Status extends Step {
        @Override
        public Integer call() {
            Optional<LocalRayCluster> cluster = LocalRayCluster.find(state());
            say(cluster.map(ClusterCommand::description)
                    .orElse("No cluster was started here. 'millrace cluster up' starts one."));
            return cluster.isPresent() ? 0 : 1;
        }
    }

    /// Stops it.
    @Command(
            name = "down",
            description = "Stops the cluster that 'up' started, and no other Ray.",
            mixinStandardHelpOptions = true)
    static final class Down extends Step {
        @Override
        public Integer call() {
            LocalRayCluster cluster = LocalRayCluster.find(state())
                    .orElseThrow(() -> MillraceException.user(
                            "There is no cluster to stop: none was started here (" + state() + ")."));
            int processes = cluster.processes().size();
            cluster.down();
            say("The cluster at " + cluster.url() + " is stopped: " + processes + " processes have ended.");
            return 0;
        }
    }

    static String description(LocalRayCluster cluster) {
        String nodes = cluster.nodes().stream()
                .map(node -> "  " + node.address() + "  " + (long) node.cpus() + " CPUs  "
                        + (isRunning(cluster, node)
                                ? "runs (pid " + node.pid() + ")"
                                : "HAS ENDED; its log: " + node.log()))
                .collect(Collectors.joining("\n"));
        String variables = cluster.environment().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
        return "Ray " + cluster.version() + ": " + cluster.running().size() + " of "
                + cluster.nodes().size() + " nodes run.\n" + nodes
                + "\n\nFor Millrace:   Session.connect(\"" + cluster.url() + "\")"
                + "\nFor Ray:        export RAY_ADDRESS=" + cluster.address() + " " + variables
                + cluster.dashboard()
                        .map(address -> "\nDashboard:      " + address + "\nJobs:           ray job submit --address "
                                + address + " -- java ...")
                        .orElse("")
                + "\nLogs:           " + cluster.folder() + "\nRay's command:  "
                + cluster.python().resolveSibling("ray");
    }

    private static boolean isRunning(LocalRayCluster cluster, RayNodeProcess node) {
        return cluster.running().contains(node);
    }
}

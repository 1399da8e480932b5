package dev.millrace.internal.ray.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The processes of one cluster, among all of the machine. A process belongs to it if it is in the session of one of
/// its nodes, or if the cluster's id is in its environment: what Ray starts for jobs is in a session of its own, and
/// some of Ray's processes write their title over their environment. Linux.
final class ClusterProcesses {
    /// The variable with the cluster's id.
    static final String ID = "MILLRACE_RAY_CLUSTER_ID";

    private static final Path PROCESSES = Path.of("/proc");

    private ClusterProcesses() {}

    static Set<ProcessHandle> of(ClusterRecord cluster) {
        // The number of a session is not given to another process while the session has members. So if a process with
        // this number is not the one that was started, the session is over.
        Set<Long> sessions = cluster.nodes().stream()
                .filter(node -> node.running().isPresent()
                        || ProcessHandle.of(node.pid()).isEmpty())
                .map(RayNodeProcess::pid)
                .collect(Collectors.toSet());
        String mark = "\0" + ID + "=" + cluster.id() + "\0";
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(
                            process -> process.pid() != ProcessHandle.current().pid())
                    .filter(process -> sessions.contains(session(process.pid()))
                            || ("\0" + text(process.pid(), "environ") + "\0").contains(mark))
                    .collect(Collectors.toSet());
        }
    }

    /// The number of the session; -1 if the process is gone, or nothing but an entry that its parent has not read yet.
    private static long session(long pid) {
        String stat = text(pid, "stat");
        // "pid (name) state parent group session": the name may hold spaces and parentheses.
        int end = stat.lastIndexOf(')');
        String[] fields = stat.substring(end + 1).strip().split(" ", 5);
        return end < 0 || fields.length < 4 || fields[0].equals("Z") ? -1 : Long.parseLong(fields[3]);
    }

    private static String text(long pid, String file) {
        try {
            return Files.readString(PROCESSES.resolve(pid + "/" + file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended, or belongs to somebody else.
            return "";
        }
    }

    /// Why this machine cannot have such a cluster; empty if it can.
    static Optional<String> obstacle() {
        return Files.isReadable(PROCESSES.resolve("self/stat"))
                ? Optional.empty()
                : Optional.of(
                        "A Ray cluster of several nodes on one machine needs Linux (127.0.0.2 and the other loopback"
                                + " addresses, and /proc). Use Session.connect(\"local:3\") here.");
    }
}

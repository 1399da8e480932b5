package dev.millrace.internal.consume;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.engine.TaskIds;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskSpec;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Checks that the nodes of a runtime see the local files that a plan reads, and the folders that it writes to, before
/// anything runs: one task on each node compares a file of each folder with what this machine sees. Folders that a node
/// saw are not asked for again; those of writes are new each time. Thread-safe.
final class NodeFiles {
    /// Folders that are compared at most: each costs a question to the file system of each node.
    private static final int MAX_FOLDERS = 100;
    /// A node that is busier than this is not waited for: its tasks fail by themselves.
    private static final long MAX_SECONDS = 60;

    private final Runtime runtime;
    private final Allocator memory;
    /// The folders that nodes see, by node.
    private final Map<String, Set<String>> seen = new ConcurrentHashMap<>();

    NodeFiles(Runtime runtime, Allocator memory) {
        this.runtime = runtime;
        this.memory = memory;
    }

    /// A file or folder as this machine sees it.
    ///
    /// @param of the source or sink: the beginning of an error
    /// @param folder that it stands for
    /// @param bytes of the file; -1 for a folder that is written to
    record Marker(String of, String folder, String path, long bytes) implements Serializable {}

    /// @throws MillraceException culprit USER, naming a file and the first node that does not see it
    void require(LogicalPlan plan) {
        if (runtime.sharesFiles()) {
            return;
        }
        List<Marker> markers = markers(plan);
        if (markers.isEmpty()) {
            return;
        }
        Map<String, List<Marker>> unseen = ask(markers);
        for (Map.Entry<String, List<Marker>> node : unseen.entrySet()) {
            if (!node.getValue().isEmpty()) {
                throw refusal(node.getValue().getFirst(), node.getKey());
            }
        }
    }

    private static MillraceException refusal(Marker marker, String node) {
        return MillraceException.user(marker.of
                + (marker.bytes < 0
                        ? ": " + node
                                + " does not see the folder that this program made for it, or may not write there: "
                        : ": " + node + " does not see this file as this program does: ")
                + marker.path
                + ". The workers of a cluster read and write files themselves: use a folder that all its machines have in"
                + " common at the same path (a network file system), or an object store (s3://).");
    }

    static List<Marker> markers(LogicalPlan plan) {
        Map<String, Marker> byFolder = new LinkedHashMap<>();
        PlanRewrite.visit(plan, node -> {
            switch (node) {
                case LogicalPlan.Read read -> {
                    for (String file : read.source().inputFiles()) {
                        if (byFolder.size() < MAX_FOLDERS) {
                            add(read.source().name(), file, byFolder);
                        }
                    }
                }
                case LogicalPlan.Write write ->
                    write.sink()
                            .workFolder(write.job())
                            .ifPresent(folder ->
                                    byFolder.put(folder, new Marker(write.sink().name(), folder, folder, -1)));
                default -> {}
            }
        });
        return List.copyOf(byFolder.values());
    }

    private static void add(String source, String file, Map<String, Marker> byFolder) {
        Path path = local(file);
        if (path == null
                || path.getParent() == null
                || byFolder.containsKey(path.getParent().toString())) {
            return;
        }
        String folder = path.getParent().toString();
        try {
            byFolder.put(folder, new Marker(source, folder, path.toString(), Files.size(path)));
        } catch (IOException e) {
            // It has vanished here: the read says so.
        }
    }

    /// Null for a file of another storage.
    private static @Nullable Path local(String file) {
        try {
            String scheme = StorageRegistry.scheme(file).orElse("");
            return switch (scheme) {
                case "" -> Path.of(file).toAbsolutePath();
                case "file" -> Path.of(URI.create(file));
                default -> null;
            };
        } catch (IllegalArgumentException e) {
            // No path of this system.
            return null;
        }
    }

    /// What each node does not see.
    private Map<String, List<Marker>> ask(List<Marker> markers) {
        Map<String, Check> checks = new HashMap<>();
        try (Allocator account = memory.child("checks of files")) {
            for (Runtime.Node node : runtime.nodes()) {
                Set<String> known = seen.computeIfAbsent(node.name(), _ -> ConcurrentHashMap.newKeySet());
                List<Marker> asked = markers.stream()
                        .filter(marker -> !known.contains(marker.folder))
                        .toList();
                if (!asked.isEmpty()) {
                    Check check = new Check(asked, known);
                    checks.put(node.name(), check);
                    check.submit(runtime, node.name(), account);
                }
            }
            checks.values().forEach(check -> check.await(runtime));
        }
        Map<String, List<Marker>> unseen = new LinkedHashMap<>();
        checks.forEach((node, check) -> unseen.put(node, check.unseen));
        return unseen;
    }

    /// Runs on a node and tells the paths of the markers that are not there.
    record SightProgram(ArrayList<Marker> markers) implements TaskProgram {
        @Override
        public void run(TaskContext context) {
            ArrayList<String> unseen = new ArrayList<>();
            for (Marker marker : markers) {
                if (!isThere(marker)) {
                    unseen.add(marker.path);
                }
            }
            context.tell(unseen);
        }

        private static boolean isThere(Marker marker) {
            Path path = Path.of(marker.path);
            if (marker.bytes < 0) {
                return Files.isDirectory(path) && Files.isWritable(path);
            }
            try {
                return Files.size(path) == marker.bytes;
            } catch (IOException e) {
                return false;
            }
        }
    }

    /// The question to one node. `ended` publishes the rest.
    private static final class Check {
        private final List<Marker> asked;
        private final Set<String> known;
        private final long id = TaskIds.next();
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile List<Marker> unseen = List.of();

        Check(List<Marker> asked, Set<String> known) {
            this.asked = asked;
            this.known = known;
        }

        void submit(Runtime runtime, String node, Allocator account) {
            TaskSpec task = new TaskSpec(
                    id,
                    id,
                    "checks of files",
                    new SightProgram(new ArrayList<>(asked)),
                    null,
                    List.of(),
                    0,
                    Resources.NONE,
                    account,
                    false,
                    node,
                    TaskSpec.Stage.NONE);
            runtime.submit(task, this::accept);
        }

        private void accept(TaskEvent event) {
            switch (event) {
                case TaskEvent.Finished finished -> {
                    if (finished.report().told() instanceof ArrayList<?> told) {
                        unseen = asked.stream()
                                .filter(marker -> told.contains(marker.path))
                                .toList();
                        asked.stream()
                                .filter(marker -> marker.bytes >= 0 && !told.contains(marker.path))
                                .forEach(marker -> known.add(marker.folder));
                    }
                    ended.countDown();
                }
                // A node that was lost sees nothing, and gets nothing.
                case TaskEvent.Failed _ -> ended.countDown();
                case TaskEvent.BlockReady _, TaskEvent.Paused _, TaskEvent.ActorReady _, TaskEvent.ActorFailed _ -> {}
            }
        }

        void await(Runtime runtime) {
            boolean interrupted = false;
            try {
                if (!ended.await(MAX_SECONDS, TimeUnit.SECONDS)) {
                    runtime.cancel(id);
                }
            } catch (InterruptedException e) {
                interrupted = true;
                runtime.cancel(id);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

package dev.millrace.internal.ray;

import dev.millrace.compute.Resources;
import dev.millrace.internal.cluster.start.WorkerArchive;
import dev.millrace.internal.json.JsonWriter;
import java.io.File;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What `ray_starter.py` is told first: which workers to start, and how. A worker gets the driver's class path: what a
/// node does not have is sent to it by Ray, and kept there by its digest.
final class RayOrder {
    /// The share of a machine's memory for blocks, where several nodes share the machine.
    private static final double MEMORY_SHARE = 0.3;

    /// As the launcher of the command has them: blocks are not on the heap, so it starts small.
    private static final List<String> FLAGS =
            List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseParallelGC", "-Xms64m", "-XX:GCTimeRatio=19");

    private RayOrder() {}

    /// A line of JSON, with its end.
    static byte[] line(RayAddress address, String session, String token, WorkerLaunch launch) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("address", address.address());
        values.put("session", session);
        values.put("token", token);
        values.put("main", launch.main());
        values.put("tls", launch.tls());
        values.put("flags", FLAGS);
        values.put(
                "classPath",
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .filter(entry -> !entry.isEmpty())
                        .map(entry ->
                                Path.of(entry).toAbsolutePath().normalize().toString())
                        .distinct()
                        .toList());
        Path archive = WorkerArchive.ofThisProcess().find();
        values.put("archive", archive == null ? null : archive.toString());
        // The driver's own, where the nodes have the same.
        values.put("java", address.java() == null ? System.getProperty("java.home") : address.java());
        values.put("leastJava", Runtime.version().feature());
        values.put("cpus", address.cpus());
        values.put("gpus", address.gpus());
        values.put("memory", address.memory() == null ? launch.memory() : address.memory());
        values.put("memoryShare", MEMORY_SHARE);
        values.put("patience", launch.patience());
        values.put("limit", RayStarter.LIMIT_SECONDS);
        return line(values);
    }

    /// A line that asks that some node has these resources.
    static byte[] request(long id, Resources need) {
        return line(Map.of("id", id, "bundle", bundle(need)));
    }

    /// A line that replaces what work waits for.
    static byte[] wants(List<Resources> waiting) {
        return line(Map.of("wants", waiting.stream().map(RayOrder::bundle).toList()));
    }

    private static Map<String, Double> bundle(Resources need) {
        Map<String, Double> bundle = new TreeMap<>(need.custom());
        bundle.put("CPU", need.cpus());
        bundle.put("GPU", need.gpus());
        bundle.values().removeIf(amount -> amount <= 0);
        return bundle;
    }

    private static byte[] line(Map<String, ? extends @Nullable Object> values) {
        JsonWriter json = new JsonWriter();
        json.value(values);
        json.raw("\n");
        return json.take();
    }
}

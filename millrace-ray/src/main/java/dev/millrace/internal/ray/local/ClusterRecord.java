package dev.millrace.internal.ray.local;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonText;
import dev.millrace.internal.json.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What is known of a cluster on this machine: the content of the file `cluster.json` in its state folder. It is
/// written before and after each start of a node, so that a cluster that was half started can be stopped too.
///
/// @param id in the environment of all its processes
/// @param python the interpreter that has Ray
/// @param address host and port of the head
/// @param dashboard host and port; null: it has none
/// @param folder temporary files and logs of Ray, the token among them
record ClusterRecord(
        String id,
        Path python,
        String ray,
        String address,
        @Nullable String dashboard,
        Path folder,
        List<RayNodeProcess> nodes) {
    private static final String FILE = "cluster.json";

    /// The file with the secret that all who talk to this cluster must know.
    Path token() {
        return folder.resolve("token");
    }

    ClusterRecord with(RayNodeProcess node) {
        List<RayNodeProcess> all = new ArrayList<>(nodes);
        all.add(node);
        return new ClusterRecord(id, python, ray, address, dashboard, folder, List.copyOf(all));
    }

    static Optional<ClusterRecord> read(Path state) {
        Path file = state.resolve(FILE);
        try {
            return Optional.of(of((Map<?, ?>) Objects.requireNonNull(JsonText.parse(Files.readAllBytes(file)))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            throw new MillraceException(
                    Culprit.USER,
                    "The record of a cluster in " + file + " cannot be read (" + e
                            + "). See whether Ray still runs (ps)," + " stop it, and delete the file.",
                    e);
        }
    }

    void write(Path state) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("id", id);
        values.put("python", python.toString());
        values.put("ray", ray);
        values.put("address", address);
        values.put("dashboard", dashboard);
        values.put("folder", folder.toString());
        values.put(
                "nodes",
                nodes.stream()
                        .map(node -> Map.of(
                                "address", node.address(),
                                "cpus", node.cpus(),
                                "pid", node.pid(),
                                "started", node.started().toEpochMilli(),
                                "log", node.log()))
                        .toList());
        JsonWriter json = new JsonWriter();
        json.value(values);
        try {
            Files.createDirectories(state);
            Path next = Files.write(state.resolve(FILE + ".next"), json.take());
            Files.move(next, state.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "The record of the cluster could not be written to " + state + ": " + e + ".",
                    e);
        }
    }

    static void delete(Path state) {
        try {
            Files.deleteIfExists(state.resolve(FILE));
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "The record of the cluster in " + state + " could not be deleted: " + e + ".",
                    e);
        }
    }

    private static ClusterRecord of(Map<?, ?> values) {
        List<RayNodeProcess> nodes = new ArrayList<>();
        for (Object element : (List<?>) value(values, "nodes")) {
            Map<?, ?> node = (Map<?, ?>) element;
            nodes.add(new RayNodeProcess(
                    text(node, "address"),
                    ((Number) value(node, "cpus")).doubleValue(),
                    ((Number) value(node, "pid")).longValue(),
                    Instant.ofEpochMilli(((Number) value(node, "started")).longValue()),
                    text(node, "log")));
        }
        return new ClusterRecord(
                text(values, "id"),
                Path.of(text(values, "python")),
                text(values, "ray"),
                text(values, "address"),
                (String) values.get("dashboard"),
                Path.of(text(values, "folder")),
                List.copyOf(nodes));
    }

    private static String text(Map<?, ?> values, String key) {
        return (String) value(values, key);
    }

    private static Object value(Map<?, ?> values, String key) {
        return Objects.requireNonNull(values.get(key), () -> "it has no '" + key + "'");
    }
}

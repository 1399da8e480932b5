package dev.millrace.internal.ray;

import dev.millrace.internal.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What `ray_starter.py` tells, a line each.
sealed interface RayEvent {
    /// @param version of Ray
    /// @param nodes that can have a worker
    record Connected(String version, int nodes) implements RayEvent {}

    /// A worker listens.
    ///
    /// @param node Ray's name of its node
    /// @param gpuIds of the GPUs that Ray has assigned to it
    record Joined(String node, String host, int port, long pid, List<String> gpuIds) implements RayEvent {}

    /// A worker that had joined is gone. Another one is started if its node is there.
    record Left(String node, String why) implements RayEvent {}

    /// A worker did not start. It is tried again, less and less often.
    record Failed(String node, String host, String why) implements RayEvent {}

    /// There is no worker, and none can be expected: why, for each node.
    record Hopeless(Map<String, String> troubles) implements RayEvent {}

    /// A node has what a request asks for.
    record Granted(long id) implements RayEvent {}

    /// No node has what a request asks for, and none was added in time.
    ///
    /// @param most the most that one node has of each resource of the request
    /// @param seconds that it was waited for
    record Lacking(long id, Map<String, Double> most, long seconds) implements RayEvent {}

    /// The interpreter has no Ray.
    record Missing(String python) implements RayEvent {}

    /// Nothing listens at the address.
    record Silent(String why) implements RayEvent {}

    /// Ray failed; the process ends.
    record Broken(String why) implements RayEvent {}

    /// @throws IllegalArgumentException if the line is none of them
    static RayEvent parse(String line) {
        if (!(JsonText.parse(line.getBytes(StandardCharsets.UTF_8)) instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("no event: " + line);
        }
        Values values = new Values(map);
        return switch (values.text("event")) {
            case "connected" -> new Connected(values.text("version"), (int) values.number("nodes"));
            case "joined" ->
                new Joined(
                        values.text("node"),
                        values.text("host"),
                        (int) values.number("port"),
                        values.number("pid"),
                        values.list("gpuIds").stream().map(String::valueOf).toList());
            case "left" -> new Left(values.text("node"), values.text("why"));
            case "failed" -> new Failed(values.text("node"), values.text("host"), values.text("why"));
            case "hopeless" -> new Hopeless(values.pairs("troubles"));
            case "granted" -> new Granted(values.number("id"));
            case "lacking" -> new Lacking(values.number("id"), values.amounts("most"), values.number("seconds"));
            case "missing" -> new Missing(values.text("python"));
            case "silent" -> new Silent(values.text("why"));
            case "broken" -> new Broken(values.text("why"));
            default -> throw new IllegalArgumentException("an unknown event: " + line);
        };
    }

    /// The members of an event.
    record Values(Map<?, ?> map) {
        private Object value(String key) {
            return Objects.requireNonNull(map.get(key), () -> "no '" + key + "' in " + map);
        }

        String text(String key) {
            return String.valueOf(value(key));
        }

        long number(String key) {
            return ((Number) value(key)).longValue();
        }

        List<?> list(String key) {
            return new ArrayList<>((List<?>) value(key));
        }

        Map<String, String> pairs(String key) {
            Map<String, String> pairs = new LinkedHashMap<>();
            for (Object pair : list(key)) {
                pairs.put(String.valueOf(((List<?>) pair).getFirst()), String.valueOf(((List<?>) pair).getLast()));
            }
            return pairs;
        }

        Map<String, Double> amounts(String key) {
            Map<String, Double> amounts = new LinkedHashMap<>();
            ((Map<?, ?>) value(key))
                    .forEach((name, amount) -> amounts.put(String.valueOf(name), ((Number) amount).doubleValue()));
            return amounts;
        }
    }
}

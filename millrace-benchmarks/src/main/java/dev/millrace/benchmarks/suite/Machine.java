package dev.millrace.benchmarks.suite;

import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.Project;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// What the figures were measured on, as lines for people.
final class Machine {
    private Machine() {}

    static List<String> lines(List<Peer> peers) {
        List<String> lines = new ArrayList<>();
        lines.add(Runtime.getRuntime().availableProcessors() + " cores, "
                + valueOf(Path.of("/proc/cpuinfo"), "model name", "an unknown processor") + ", "
                + valueOf(Path.of("/proc/meminfo"), "MemTotal", "unknown memory"));
        lines.add(System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("os.arch") + ", Java " + Runtime.version());
        lines.add("flags: "
                + String.join(
                        " ",
                        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                                .filter(flag -> flag.startsWith("-X"))
                                .filter(flag -> !flag.startsWith("-XX:AOT") && !flag.startsWith("-Xlog"))
                                .toList()));
        peers.forEach(peer -> lines.add(peer.label() + ": " + packages(peer)));
        return lines;
    }

    /// How many processes wanted a core in the last minute; other work on the machine shows here.
    static String load() {
        return String.format(
                Locale.ROOT,
                "%.1f",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String packages(Peer peer) {
        try {
            return String.join(
                    ", ", Files.readAllLines(Project.root().resolve("tools/python/" + peer.label() + ".txt")));
        } catch (IOException | dev.millrace.benchmarks.BenchFailure e) {
            return "unknown packages";
        }
    }

    private static String valueOf(Path file, String label, String unknown) {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith(label))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(unknown);
        } catch (IOException e) {
            return unknown;
        }
    }
}

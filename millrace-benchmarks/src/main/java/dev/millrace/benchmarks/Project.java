package dev.millrace.benchmarks;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The source folder in which this program was built: it contains the launcher and the tools that create Python
/// environments.
public final class Project {
    private Project() {}

    public static Path root() throws BenchFailure {
        String given = System.getProperty("millrace.root");
        Path from = given != null ? Path.of(given) : codeSource();
        for (Path place = from; place != null; place = place.getParent()) {
            if (Files.isExecutable(place.resolve("tools/python-env"))) {
                return place;
            }
        }
        throw new BenchFailure("Millrace's source folder was not found above " + from
                + "; this needs its launcher and tools. Run it by ./millrace, or set -Dmillrace.root.");
    }

    private static Path codeSource() {
        try {
            return Path.of(Project.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

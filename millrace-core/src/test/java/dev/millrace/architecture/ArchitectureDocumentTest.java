package dev.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// ARCHITECTURE.md is a map, and a map must not show streets that are gone: each class it names in backticks exists,
/// and its table of modules is about true.
class ArchitectureDocumentTest {
    private static final Pattern CLASS_NAME =
            Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:\\.[a-z]\\w*(?:\\(\\))?)?`");

    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
    private static final Pattern MODULE_ROW = Pattern.compile("(?m)^\\| `(millrace-\\w+)` \\|[^|]*\\| ([0-9,]+) \\|");

    @Test
    void everyClassNamedInTheDocumentExists() throws IOException {
        Path root = Path.of(System.getProperty("millrace.root", ".."));
        Set<String> classes;
        try (Stream<Path> files = Files.walk(root)) {
            classes = files.map(Path::getFileName)
                    .map(Path::toString)
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
        Set<String> missing = new TreeSet<>();
        Matcher names = CLASS_NAME.matcher(Files.readString(root.resolve("ARCHITECTURE.md")));
        int found = 0;
        while (names.find()) {
            found++;
            if (!classes.contains(names.group(1))) {
                missing.add(names.group(1));
            }
        }
        assertThat(found).isGreaterThan(20);
        assertThat(missing)
                .as("classes that ARCHITECTURE.md names and nobody wrote")
                .isEmpty();
    }

    /// Within a tenth, so that not every change has to run `tools/module-table --update`.
    @Test
    void theTableOfModulesIsAboutTrue() throws IOException {
        Path root = Path.of(System.getProperty("millrace.root", ".."));
        Map<String, Long> said = new TreeMap<>();
        Matcher rows = MODULE_ROW.matcher(Files.readString(root.resolve("ARCHITECTURE.md")));
        while (rows.find()) {
            said.put(rows.group(1), Long.parseLong(rows.group(2).replace(",", "")));
        }
        Set<String> modules = new TreeSet<>();
        Matcher named = MODULE.matcher(Files.readString(root.resolve("pom.xml")));
        while (named.find()) {
            modules.add(named.group(1));
        }
        modules.remove("millrace-bom");
        assertThat(said.keySet()).isEqualTo(modules);
        for (String module : modules) {
            long lines = lines(root.resolve(module).resolve("src/main/java"));
            assertThat(said.get(module))
                    .as("lines of " + module + ": tools/module-table --update")
                    .isBetween(lines - lines / 10 - 100, lines + lines / 10 + 100);
        }
    }

    private static long lines(Path sources) throws IOException {
        if (!Files.isDirectory(sources)) {
            return 0;
        }
        long lines = 0;
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                lines += Files.readAllLines(file).size();
            }
        }
        return lines;
    }
}

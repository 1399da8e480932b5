package dev.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// ARCHITECTURE.md is a map, and a map must not show streets that are gone: each class it names in backticks exists.
class ArchitectureDocumentTest {
    private static final Pattern CLASS_NAME =
            Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:\\.[a-z]\\w*(?:\\(\\))?)?`");

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
}

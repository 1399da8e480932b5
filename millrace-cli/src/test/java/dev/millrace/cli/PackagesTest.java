package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.millrace.testing.PackageCycles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The packages of all modules: this one has all of them on its class path.
class PackagesTest {
    private static final Path ROOT = Path.of(System.getProperty("millrace.root"));
    private static final Pattern TESTS = Pattern.compile(".*(/test-classes/|-tests\\.jar|-test/).*");
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.matches(TESTS))
            .importPackages("dev.millrace");

    @Test
    void packagesFormNoCycle() {
        PackageCycles.check(CLASSES);
    }

    @Test
    void noModuleIsLeftOut() throws IOException {
        for (Path sources : modules()) {
            assertThat(types(sources))
                    .isNotEmpty()
                    .as("types of " + ROOT.relativize(sources) + " that are not on the class path of this test")
                    .allMatch(CLASSES::contain);
        }
    }

    @Test
    void nullIsCheckedInEveryPackage() throws IOException {
        List<Path> unchecked = new ArrayList<>();
        for (Path sources : modules()) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path folder : files.filter(file -> file.toString().endsWith(".java"))
                        .map(Path::getParent)
                        .distinct()
                        .toList()) {
                    Path info = folder.resolve("package-info.java");
                    if (!Files.exists(info) || !Files.readString(info).contains("@NullMarked")) {
                        unchecked.add(ROOT.relativize(folder));
                    }
                }
            }
        }
        assertThat(unchecked).as("packages without @NullMarked").isEmpty();
    }

    /// The folders of main code.
    private static List<Path> modules() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders.map(folder -> folder.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    private static List<String> types(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.map(file -> sources.relativize(file).toString())
                    .filter(name -> name.endsWith(".java") && !name.endsWith("-info.java"))
                    .map(name -> name.substring(0, name.length() - ".java".length())
                            .replace('/', '.')
                            .replace('\\', '.'))
                    .toList();
        }
    }
}

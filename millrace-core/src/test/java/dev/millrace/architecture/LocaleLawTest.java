package dev.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// File names and messages are the same whatever language the machine speaks: nothing is formatted by its locale.
class LocaleLawTest {
    private static final Path ROOT =
            Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    private static final Pattern BY_THE_MACHINE = Pattern.compile("String\\s*\\.format\\(\\s*(?!\\s|Locale\\.)"
            + "|\\.formatted\\(|\\.printf\\(\\s*(?!\\s|Locale\\.)|\\.to(Lower|Upper)Case\\(\\)");

    @Test
    void nothingIsFormattedByTheMachinesLocale() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
                    .toList()) {
                look(module.resolve("src/main/java"), found);
            }
        }
        assertThat(found).isEmpty();
    }

    private static void look(Path sources, List<String> found) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                String text = Files.readString(file);
                Matcher match = BY_THE_MACHINE.matcher(text);
                while (match.find()) {
                    long line = text.substring(0, match.start()).lines().count();
                    found.add(ROOT.relativize(file) + ":" + line + ": " + match.group());
                }
            }
        }
    }
}

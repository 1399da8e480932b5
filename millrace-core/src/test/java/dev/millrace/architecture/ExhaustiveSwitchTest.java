package dev.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Switches over types and columns name every type, so that a new one fails to compile where somebody has to think of
/// it. Where a `default` does mean everything else, a comment right above it says so; and they do not get more.
class ExhaustiveSwitchTest {
    private static final int MAX_DEFAULTS = 66;
    private static final Pattern CASE = Pattern.compile("case (DataType\\.\\w+|\\w*Column)\\b.*");

    @Test
    void aDefaultInASwitchOverTypesOrColumnsSaysWhatItMeans() throws IOException {
        Path root = Path.of(System.getProperty("millrace.root", ".."));
        List<Path> sources;
        try (Stream<Path> files = Files.walk(root)) {
            sources = files.filter(file -> file.toString().contains("/src/main/java/")
                            && file.toString().endsWith(".java"))
                    .toList();
        }
        List<String> defaults = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        for (Path source : sources) {
            List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).strip().startsWith("default ->") && isOverTypes(lines, i)) {
                    String place = root.relativize(source) + ":" + (i + 1);
                    defaults.add(place);
                    if (!lines.get(i - 1).strip().startsWith("//")) {
                        silent.add(place);
                    }
                }
            }
        }
        assertThat(sources).hasSizeGreaterThan(1000);
        assertThat(silent)
                .as("name the types that are missing, or say in a comment above the default what it means")
                .isEmpty();
        assertThat(defaults)
                .as("a new default; if it does mean everything else, count it in MAX_DEFAULTS")
                .hasSizeLessThanOrEqualTo(MAX_DEFAULTS);
    }

    /// Whether a case before the `default`, at its depth, names a type or a column.
    private static boolean isOverTypes(List<String> lines, int at) {
        int depth = depth(lines.get(at));
        for (int i = at - 1; i >= 0; i--) {
            String line = lines.get(i);
            if (line.isBlank() || depth(line) > depth) {
                continue;
            }
            if (depth(line) < depth) {
                return false;
            }
            if (CASE.matcher(line.strip()).matches()) {
                return true;
            }
        }
        return false;
    }

    private static int depth(String line) {
        return line.length() - line.stripLeading().length();
    }
}

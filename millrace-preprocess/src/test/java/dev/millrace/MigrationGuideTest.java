package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The guides for those who come from Ray Data or Daft: the names of ours in them exist, no name of theirs is left out,
/// and few have no counterpart.
class MigrationGuideTest {
    private static final List<String> PACKAGES =
            List.of("", "expression.", "aggregate.", "batch.", "preprocess.", "source.", "sink.", "window.");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w*)`");

    @Test
    void theNamesInTheGuideFromRayDataExist() throws IOException {
        assertThat(unknown("from-ray-data.md", 150)).isEmpty();
    }

    @Test
    void theNamesInTheGuideFromDaftExist() throws IOException {
        assertThat(unknown("from-daft.md", 200)).isEmpty();
    }

    @Test
    void noNameOfRayDataIsLeftOut() throws IOException {
        Set<String> left = names("ray-data-names.txt");
        left.removeAll(entries("from-ray-data.md", ""));
        assertThat(left).isEmpty();
    }

    @Test
    void noNameOfDaftIsLeftOut() throws IOException {
        Set<String> left = names("daft-names.txt");
        left.removeAll(entries("from-daft.md", ""));
        assertThat(left).isEmpty();
    }

    @Test
    void atMostTwentyFiveNamesOfRayDataAreMissing() throws IOException {
        assertThat(entries("from-ray-data.md", "missing: ")).hasSizeLessThanOrEqualTo(25);
    }

    private static List<String> unknown(String guide, int expected) throws IOException {
        List<String> unknown = new ArrayList<>();
        int found = 0;
        for (Matcher names = NAME.matcher(text(guide)); names.find(); found++) {
            Class<?> type = type(names.group(1));
            boolean exists = type != null
                    && Arrays.stream(type.getMethods())
                            .anyMatch(method -> method.getName().equals(names.group(2)));
            if (!exists) {
                unknown.add(names.group(1) + "." + names.group(2));
            }
        }
        assertThat(found).isGreaterThan(expected);
        return unknown;
    }

    /// The names in the first column of tables, without what is before a dot, in rows whose second column starts so.
    private static Set<String> entries(String guide, String start) throws IOException {
        Set<String> entries = new TreeSet<>();
        text(guide).lines().filter(line -> line.startsWith("| ")).forEach(line -> {
            List<String> cells = List.of(line.split("\\|", -1));
            if (cells.get(2).strip().startsWith(start)) {
                for (String name : cells.get(1).split(",", -1)) {
                    entries.add(name.strip().substring(name.strip().lastIndexOf('.') + 1));
                }
            }
        });
        return entries;
    }

    private static String text(String guide) throws IOException {
        return Files.readString(Path.of(System.getProperty("millrace.root"), "docs", guide));
    }

    private static Set<String> names(String file) throws IOException {
        try (InputStream in = MigrationGuideTest.class.getResourceAsStream(file)) {
            return new TreeSet<>(List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .split("\n", -1)));
        }
    }

    private static Class<?> type(String name) {
        for (String place : PACKAGES) {
            try {
                return Class.forName("dev.millrace." + place + name);
            } catch (ClassNotFoundException e) {
                // It is in another of the packages.
            }
        }
        return null;
    }
}

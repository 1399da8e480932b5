package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The names in the guide for those who come from Ray Data exist.
class MigrationGuideTest {
    private static final List<String> PACKAGES =
            List.of("", "expression.", "aggregate.", "batch.", "preprocess.", "source.", "sink.");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w*)`");

    @Test
    void theNamesInTheGuideFromRayDataExist() throws IOException {
        String text = Files.readString(Path.of(System.getProperty("millrace.root"), "docs", "from-ray-data.md"));
        List<String> unknown = new ArrayList<>();
        int found = 0;
        for (Matcher names = NAME.matcher(text); names.find(); found++) {
            Class<?> type = type(names.group(1));
            boolean exists = type != null
                    && Arrays.stream(type.getMethods())
                            .anyMatch(method -> method.getName().equals(names.group(2)));
            if (!exists) {
                unknown.add(names.group(1) + "." + names.group(2));
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(found).isGreaterThan(150);
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

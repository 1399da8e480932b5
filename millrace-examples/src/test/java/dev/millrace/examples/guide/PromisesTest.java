package dev.millrace.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/promises.md lists what the documents behind Millrace name, and is true: every test that it names exists, every
/// sample runs, and only what waits for another piece of the project is shown by nothing.
class PromisesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();

    /// How many things each of the five documents names.
    private static final Map<String, Integer> NAMED = Map.of("1", 59, "2", 25, "3", 11, "4", 32, "5", 16);

    private static final Pattern STATE =
            Pattern.compile("works|differently: \\S.{10,}|(not yet: (cluster|Python|dashboard))");
    private static final Pattern COLUMN = Pattern.compile("(?<!\\\\)\\|");
    private static final Pattern SHOWN =
            Pattern.compile("`(?<test>\\w+)\\.(?<method>\\w+)`|\\[[^\\]]*\\]\\((?<page>[^)#]+)#(?<heading>[^)]+)\\)");
    private static final Pattern TEST = Pattern.compile("\\s*@(Test|ParameterizedTest|TestFactory|RepeatedTest)\\b.*");

    /// A line of the table.
    ///
    /// @param line its number in the page, from 1
    private record Promise(int line, String document, String named, String state, String ours, String shown) {
        String place() {
            return "docs/promises.md:" + line + " (" + named + ")";
        }

        boolean isNotYet() {
            return state.startsWith("not yet");
        }
    }

    private static List<Promise> promises() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("docs/promises.md"));
        List<Promise> promises = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).matches("\\| \\d \\|.*")) {
                String[] columns = COLUMN.split(lines.get(i), -1);
                assertThat(columns).as("columns of docs/promises.md:%d", i + 1).hasSize(7);
                promises.add(new Promise(
                        i + 1,
                        columns[1].strip(),
                        columns[2].strip(),
                        columns[3].strip(),
                        columns[4].strip(),
                        columns[5].strip()));
            }
        }
        return promises;
    }

    @Test
    void everythingThatTheDocumentsNameIsThereOnce() throws IOException {
        Map<String, Integer> count = new TreeMap<>();
        Map<String, Promise> seen = new LinkedHashMap<>();
        for (Promise promise : promises()) {
            count.merge(promise.document, 1, Integer::sum);
            Promise twice = seen.put(promise.document + " " + promise.named, promise);
            assertThat(twice).as(promise.place()).isNull();
        }
        assertThat(count).isEqualTo(NAMED);
    }

    @Test
    void everyLineHasAStateAndIsShownUnlessItWaitsForAnotherPiece() throws IOException {
        for (Promise promise : promises()) {
            assertThat(promise.state).as(promise.place()).matches(STATE);
            assertThat(promise.ours).as(promise.place()).isNotEmpty();
            assertThat(promise.shown.isEmpty())
                    .as("nothing shows %s", promise.place())
                    .isEqualTo(promise.isNotYet());
            assertThat(SHOWN.matcher(promise.shown).replaceAll("").replace(", ", ""))
                    .as("what shows %s is a test or a link to a sample", promise.place())
                    .isEmpty();
        }
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Map<String, Path> sources = testSources();
        for (Promise promise : promises()) {
            Matcher shown = SHOWN.matcher(promise.shown);
            while (shown.find()) {
                if (shown.group("test") != null) {
                    assertThat(sources).as(promise.place()).containsKey(shown.group("test"));
                    assertThat(hasTest(sources.get(shown.group("test")), shown.group("method")))
                            .as("%s: %s is a test", promise.place(), shown.group())
                            .isTrue();
                }
            }
        }
    }

    @Test
    void everySampleThatIsNamedRuns() throws IOException {
        Map<Path, GuidePage> pages = new HashMap<>();
        for (GuidePage page : GuidePage.withSamples(ROOT)) {
            pages.put(page.file(), page);
        }
        for (Promise promise : promises()) {
            Matcher shown = SHOWN.matcher(promise.shown);
            while (shown.find()) {
                if (shown.group("page") != null) {
                    Path file =
                            ROOT.resolve("docs").resolve(shown.group("page")).normalize();
                    assertThat(pages).as(promise.place()).containsKey(file);
                    assertThat(pages.get(file).samplesBelow(shown.group("heading")))
                            .as("%s: samples below %s that run", promise.place(), shown.group())
                            .anyMatch(sample -> sample.compiledOnly() == null);
                }
            }
        }
    }

    private static Map<String, Path> testSources() throws IOException {
        Map<String, Path> sources = new HashMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(tests)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file ->
                                    sources.put(file.getFileName().toString().replace(".java", ""), file));
                }
            }
        }
        return sources;
    }

    /// True if the source has a method of this name under one of JUnit's annotations.
    private static boolean hasTest(Path source, String method) throws IOException {
        Pattern declared = Pattern.compile("    [\\w<>. ]+ " + method + "\\(.*");
        boolean annotated = false;
        for (String line : Files.readAllLines(source)) {
            if (line.isBlank()) {
                annotated = false;
            }
            annotated |= TEST.matcher(line).matches();
            if (annotated && declared.matcher(line).matches()) {
                return true;
            }
        }
        return false;
    }
}

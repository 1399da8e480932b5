package dev.millrace.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./millrace docs`: the pages of the documentation as a site that names nothing outside of itself.
class DocsSiteTest {
    private static final Path ROOT =
            Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    private static final Pattern FETCHED =
            Pattern.compile("(?:src=|<link[^>]*href=|url\\(|@import|fetch\\()\\s*[\"']?(?:[a-z]+:)?//");
    private static final int LIMIT_SECONDS = 120;

    @TempDir
    static Path folder;

    private static Path site;

    @BeforeAll
    static void build() throws Exception {
        site = folder.resolve("site");
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(
                        Python.environment("docs").interpreter().toString(),
                        ROOT.resolve("tools/docs-site").toString(),
                        site.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        // A link that leads nowhere ends it with an error.
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0)
                .as(() -> said(said))
                .isTrue();
    }

    private static String said(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static List<Path> files(Path below, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    @Test
    void everyPageOfTheDocumentationIsThereAndFound() throws Exception {
        String index = Files.readString(site.resolve("search-index.js"));
        for (Path page : files(ROOT.resolve("docs"), ".md")) {
            String name = ROOT.relativize(page).toString().replace('\\', '/');
            String address = name.equals("docs/README.md") ? "index.html" : name.replaceAll("\\.md$", ".html");
            assertThat(site.resolve(address)).exists();
            assertThat(index).contains("\"u\":\"" + address);
        }
        assertThat(index).contains("DownstreamCapacity", "SKEWED_KEYS");
    }

    @Test
    void thePagesFetchNothingFromElsewhere() throws Exception {
        assertThat(files(site, ".html")).hasSizeGreaterThan(40);
        for (String ending : List.of(".html", ".css", "site.js")) {
            for (Path file : files(site, ending)) {
                assertThat(FETCHED.matcher(Files.readString(file)).find())
                        .as("%s names something outside", file.getFileName())
                        .isFalse();
            }
        }
    }

    @Test
    void whatTestsNeedOfAPageIsNotShown() throws Exception {
        String page = Files.readString(site.resolve("docs/guide/training.html"));
        assertThat(page).contains("iterTensorBatches").doesNotContain("hidden\n", "static void step", "&lt;!-- prints");
    }
}

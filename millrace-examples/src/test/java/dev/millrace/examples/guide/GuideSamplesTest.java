package dev.millrace.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.millrace.testing.ChildJvm;
import java.io.ObjectInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What README.md and the guide show does what they say: every block of Java is compiled and run.
class GuideSamplesTest {
    private static final int MAX_README_LINES = 150;
    /// Many times what they take: a busy machine is no error.
    private static final int MAX_SECONDS = 400;
    private static final Path ROOT =
            Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();

    @TempDir
    Path folder;

    @TestFactory
    @Timeout(2 * MAX_SECONDS)
    Stream<DynamicTest> samplesCompileAndRun() throws Exception {
        List<GuideSample> samples = new ArrayList<>();
        for (GuidePage page : GuidePage.withSamples(ROOT)) {
            samples.addAll(page.samples());
        }
        assertThat(samples).hasSizeGreaterThan(40);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        assertThat(SampleCompiler.compile(samples, classes))
                .as("samples that do not compile")
                .isEmpty();
        Map<String, SampleResult> results = run(samples, classes);
        return samples.stream()
                .filter(sample -> sample.compiledOnly() == null)
                .map(sample -> dynamicTest(sample.place(), () -> {
                    SampleResult result = results.get(sample.binaryName());
                    assertThat(result.failure()).as(sample.place()).isNull();
                    if (sample.prints() != null) {
                        assertThat(result.printed().stripTrailing().lines().map(String::stripTrailing))
                                .as("what %s prints", sample.place())
                                .containsExactlyElementsOf(
                                        sample.prints().lines().toList());
                    }
                }));
    }

    private Map<String, SampleResult> run(List<GuideSample> samples, Path classes) throws Exception {
        Path work = Files.createDirectory(folder.resolve("work"));
        Path file = folder.resolve("results");
        List<String> arguments = new ArrayList<>(List.of(classes.toString(), file.toString()));
        samples.stream()
                .filter(sample -> sample.compiledOnly() == null)
                .map(GuideSample::binaryName)
                .forEach(arguments::add);
        Path said = folder.resolve("said");
        ProcessBuilder command = new ProcessBuilder(ChildJvm.command(
                        List.of("-Xmx512m", "-XX:+UseParallelGC", "-XX:TieredStopAtLevel=1"),
                        SampleRunner.class,
                        arguments.toArray(String[]::new)))
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        command.environment().put("GUIDE_API_KEY", "not-a-secret");
        Process process = command.start();
        try {
            assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0)
                    .as("the samples ended by themselves; they said:%n%s", Files.readString(said))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        Map<String, SampleResult> results = new LinkedHashMap<>();
        try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
            for (Object result : (List<?>) in.readObject()) {
                results.put(((SampleResult) result).name(), (SampleResult) result);
            }
        }
        return results;
    }

    @Test
    void theReadmeIsShort() throws Exception {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(MAX_README_LINES);
    }

    @Test
    void linksBetweenDocumentsLeadToFiles() throws Exception {
        List<GuidePage> pages = new ArrayList<>(GuidePage.withSamples(ROOT));
        for (String name : List.of("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "ROADMAP.md", "SECURITY.md")) {
            pages.add(GuidePage.of(ROOT, ROOT.resolve(name)));
        }
        for (GuidePage page : pages) {
            assertThat(page.links())
                    .as("links of %s", page.name())
                    .allSatisfy(target -> assertThat(target).exists());
        }
    }
}

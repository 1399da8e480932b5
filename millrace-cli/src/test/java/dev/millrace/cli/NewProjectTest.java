package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.OpenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class NewProjectTest {
    private static final Path ROOT = Path.of(System.getProperty("millrace.root"));

    @TempDir
    private Path folder;

    private CommandRun make(String... options) {
        String[] args = new String[options.length + 2];
        args[0] = "new";
        args[1] = folder.resolve("my-trips").toString();
        System.arraycopy(options, 0, args, 2, options.length);
        return CommandRun.of(args);
    }

    @Test
    void itsProgramCompilesAndRuns() throws Exception {
        OpenFiles.assume(1024, "the compiler in the process opens every jar of the class path a second time");
        CommandRun run = make();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("my-trips && mvn -q compile exec:java");
        Path project = folder.resolve("my-trips");
        assertThat(project.resolve("README.md")).content().contains("src/main/java/my_trips/Main.java");
        Path classes = folder.resolve("classes");
        assertThat(ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(
                                System.out,
                                System.err,
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                classes.toString(),
                                project.resolve("src/main/java/my_trips/Main.java")
                                        .toString()))
                .isZero();
        Path out = folder.resolve("out.txt");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                        "my_trips.Main"))
                .directory(project.toFile())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(out).content().contains("mean(half)", "1000 rows written");
        assertThat(project.resolve("target/rows")).isDirectory();
    }

    @Test
    void itNamesTheArtifactsOfThisRelease() throws Exception {
        make();
        String pom = Files.readString(folder.resolve("my-trips/pom.xml"));
        String release = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(ROOT.resolve("pom.xml").toFile())
                .getDocumentElement()
                .getElementsByTagName("version")
                .item(0)
                .getTextContent();
        assertThat(pom)
                .contains("<millrace.version>" + release + "</millrace.version>", "<artifactId>my-trips</artifactId>");
        assertThat(pom).doesNotContain("@");
    }

    @Test
    void gradleGetsItsOwnFiles() {
        assertThat(make("--gradle", "--package", "com.acme.trips").out()).contains("gradle run");
        Path project = folder.resolve("my-trips");
        assertThat(project.resolve("pom.xml")).doesNotExist();
        assertThat(project.resolve("build.gradle.kts"))
                .content()
                .contains("\"dev.millrace:millrace:", "mavenLocal()", "com.acme.trips.Main");
        assertThat(project.resolve("settings.gradle.kts")).hasContent("rootProject.name = \"my-trips\"\n");
        assertThat(project.resolve("src/main/java/com/acme/trips/Main.java")).exists();
    }

    @Test
    void whatIsThereIsNotOverwritten() throws IOException {
        Files.createDirectories(folder.resolve("my-trips"));
        Files.writeString(folder.resolve("my-trips/notes.txt"), "mine");
        CommandRun run = make();
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err().strip())
                .isEqualTo("millrace new: '" + folder.resolve("my-trips")
                        + "' is there already, and is not an empty folder.");
        CommandRun named = CommandRun.of("new", folder.resolve("3x").toString());
        assertThat(named.err()).contains("and a letter first, not '3x'.");
        CommandRun packaged = CommandRun.of("new", folder.resolve("x").toString(), "--package", "A-b");
        assertThat(packaged.err()).contains("'A-b' is no name of a package");
    }
}

package dev.millrace.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Python;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The example notebook in a real kernel, and the startup script in a real jshell.
@Timeout(400)
class NotebookIT {
    private static final Path ROOT =
            Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();

    @TempDir
    Path folder;

    /// Without the kernel, which has its own.
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(place -> !place.contains("jjava"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void theExampleNotebookRunsAndShowsTables() {
        String outputs = Python.environment("notebook")
                .run(
                        NotebookIT.class,
                        "run_notebook.py",
                        ROOT.resolve("docs/notebooks/first-steps.ipynb").toString(),
                        System.getProperty("java.home"),
                        classPath());
        assertThat(outputs)
                .contains(
                        "<td>1</td><td>1</td><td>5.25</td>",
                        "<td style=\\\"text-align:left\\\">zone</td><td>int64</td>",
                        "<td>0</td><td>200</td><td>30.0</td>",
                        "data:image/png;base64,",
                        "FINISHED in ",
                        "<th>task time</th>");
    }

    @Test
    void jshellShowsTables() throws Exception {
        Path startup = folder.resolve("millrace.jsh");
        try (var in = Notebook.class.getResourceAsStream("millrace.jsh")) {
            Files.copy(in, startup);
        }
        Path script = Files.writeString(folder.resolve("script.jsh"), """
                Dataset trips = session.range(1_000).withColumn("zone", col("id").mod(3));
                Notebook.rows(2);
                show(trips);
                show(trips.schema());
                table("trips", trips);
                show(sql("SELECT zone, count(*) AS n FROM trips GROUP BY zone ORDER BY zone"));
                session.close();
                /exit
                """);
        Path said = folder.resolve("said");
        Process jshell = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jshell")
                                .toString(),
                        "--class-path",
                        classPath(),
                        "--startup",
                        "DEFAULT",
                        "--startup",
                        startup.toString(),
                        // In the same process, which is started once.
                        "--execution",
                        "local",
                        // Which the tool itself does not need.
                        "-J--add-modules=java.se",
                        "-J--enable-native-access=ALL-UNNAMED",
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-Djava.util.prefs.userRoot=" + folder,
                        "-s",
                        script.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        jshell.getOutputStream().close();
        assertThat(jshell.waitFor(180, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(said))
                .contains("id  zone\n--  ----\n 0     0\n 1     1")
                .contains("column  type\n------  ----\nid      int64\nzone    int64")
                .contains("zone    n\n----  ---\n   0  334\n   1  333");
    }
}

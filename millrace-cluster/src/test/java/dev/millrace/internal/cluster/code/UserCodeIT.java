package dev.millrace.internal.cluster.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.cluster.worker.WorkerMain;
import dev.millrace.internal.cluster.worker.WorkerOptions;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs as users write them, on workers whose class path has Millrace and nothing of the program.
class UserCodeIT {
    private static final String TOKEN = "the token of user code";
    private static final String JOB = """
            import dev.millrace.Session;
            import dev.millrace.batch.Batch;
            import dev.millrace.batch.Row;
            import dev.millrace.compute.Compute;
            import dev.millrace.function.BatchFunction;
            import dev.millrace.function.RowFunction;

            public class Job {
                record Id(long id) {}

                record Trip(long id, String zone) {}

                static class Process implements BatchFunction, AutoCloseable {
                    private final Number number = new Number();

                    public Batch apply(Batch batch) {
                        return batch.withConstant("process", number.ofProcess());
                    }

                    public void close() {
                        new Closing().close();
                    }
                }

                public static void main(String[] arguments) {
                    try (Session session = Session.open()) {
                        if (arguments.length > 0 && arguments[0].equals("missing")) {
                            session.range(2).map(row -> Row.of("id", new Absent().number())).takeAll();
                        }
                        String zone = "zone-";
                        var trips = session.range(1000)
                                .map(Id.class, Trip.class, id -> new Trip(id.id(), zone + id.id() % 3))
                                .mapBatches(Process::new, Compute.actors(2))
                                .filter(new OnlyEven());
                        long own = ProcessHandle.current().pid();
                        System.out.println("elsewhere: "
                                + trips.takeAll().stream().allMatch(row -> row.getLong("process") != own));
                        System.out.println(trips.groupBy("zone").aggregate(dev.millrace.aggregate.Aggregates.count()).sort("zone").takeAll());
                    } catch (RuntimeException e) {
                        System.out.println("error: " + e.getMessage());
                    }
                }
            }

            /// A function object.
            class OnlyEven implements dev.millrace.function.RowPredicate {
                public boolean test(Row row) {
                    return row.getLong("id") % 2 == 0;
                }
            }

            class Number {
                long ofProcess() {
                    return ProcessHandle.current().pid();
                }
            }

            class Closing {
                void close() {}
            }

            class Absent {
                long number() {
                    return 1;
                }
            }
            """;

    @TempDir
    Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
    }

    /// What is Millrace's and its libraries' on the class path of the tests, without tests.
    private static String millrace() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("test"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static List<String> java(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx300m",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of(arguments));
        return command;
    }

    /// Starts two workers and returns their address.
    private String workers() throws IOException {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ProcessBuilder builder = new ProcessBuilder(java(
                            "-cp",
                            millrace(),
                            WorkerMain.class.getName(),
                            "--stdin",
                            "--cpus",
                            "2",
                            "--memory",
                            "200m",
                            "--code-cache",
                            folder.resolve("cache").toString()))
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().put(WorkerOptions.TOKEN, TOKEN);
            Process worker = builder.start();
            processes.add(worker);
            BufferedReader output = worker.inputReader(StandardCharsets.UTF_8);
            String[] words = output.readLine().split(" ", -1);
            addresses.add(words[1] + ":" + words[2]);
        }
        return "millrace://" + String.join(",", addresses);
    }

    private String run(String cluster, String... arguments) throws IOException, InterruptedException {
        List<String> command = java("-Dmillrace.cluster=" + cluster);
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out-" + processes.size());
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().put(WorkerOptions.TOKEN, TOKEN);
        Process driver = builder.start();
        processes.add(driver);
        assertThat(driver.waitFor(100, TimeUnit.SECONDS)).isTrue();
        return Files.readString(out);
    }

    private List<Path> cached() throws IOException {
        if (!Files.exists(folder.resolve("cache"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder.resolve("cache"))) {
            return files.toList();
        }
    }

    @Test
    void aProgramOfOneSourceFileAJarAndAFolderRunOnWorkersThatHaveNothingOfIt() throws Exception {
        String cluster = workers();
        Path source = Files.writeString(folder.resolve("Job.java"), JOB);
        String[] expected = {"elsewhere: true", "zone-0", "zone-1", "zone-2"};
        assertThat(run(cluster, "-cp", millrace(), source.toString())).contains(expected);
        assertThat(cached()).isEmpty();

        Path classes = CompiledCode.folder(folder.resolve("classes"), Map.of("Job.java", JOB));
        assertThat(run(cluster, "-cp", classes + File.pathSeparator + millrace(), "Job"))
                .contains(expected);
        assertThat(cached()).hasSize(1);

        Path jar = CompiledCode.jar(folder.resolve("job.jar"), classes);
        assertThat(run(cluster, "-cp", jar + File.pathSeparator + millrace(), "Job"))
                .contains(expected);
        assertThat(cached()).hasSize(2);
    }

    @Test
    void aClassThatIsMissingInTheProgramIsASentenceWithTheWorker() throws Exception {
        Path classes = CompiledCode.folder(folder.resolve("classes"), Map.of("Job.java", JOB));
        Files.delete(classes.resolve("Absent.class"));
        assertThat(run(workers(), "-cp", classes + File.pathSeparator + millrace(), "Job", "missing"))
                .containsPattern(
                        "error: map\\(Job:\\d+\\) failed on .*: the class Absent is missing on worker-\\d.*\\. Workers"
                                + " have what is on the class path of the program that started the run: add the jar or folder that"
                                + " holds it there, and start the program again\\.");
    }
}

package dev.millrace.cli;

import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.start.WorkerArchive;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs a program of the user in a process of its own, with the class path of this one. Its exit code is the command's.
@Command(
        name = "run",
        description = "Runs a program, a source file or a jar, with Millrace on its class path.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A source file may hold several classes and records; its first class has the main method. A jar names",
            "its main class in its manifest. With --cluster, Session.open() of the program opens a session there;",
            "the same is said by the property millrace.cluster or the variable MILLRACE_CLUSTER.",
            "Options of the program that are also options of this command come after '--'.",
            "",
            "Examples:",
            "  millrace run Job.java --input trips/",
            "  millrace run job.jar --cluster local:3",
            "  millrace run --dashboard Job.java",
        })
final class RunProgram implements Callable<Integer> {
    /// The archive of classes and profiles for programs that Java compiles itself, beside that of the command.
    private static final String SOURCE_ARCHIVE = "source.aot";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PROGRAM", description = "Job.java or job.jar")
    private Path program;

    @Parameters(index = "1..*", paramLabel = "ARGUMENT", description = "for the program", arity = "0..*")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--cluster",
            paramLabel = "ADDRESS",
            description = "where it runs: local:3, millrace://host:port,..., ray://head:6379 (default: in its own"
                    + " process)")
    private @Nullable String cluster;

    @Mixin
    private final SessionOptions options = new SessionOptions();

    @Override
    public Integer call() throws InterruptedException {
        List<String> main = mainOf(program);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags());
        String archive = archive();
        if (archive != null && (isSource(program) || !bringsMillrace(program))) {
            command.add("-D" + WorkerArchive.PROPERTY + "=" + archive);
            Path own = isSource(program) ? Path.of(archive).resolveSibling(SOURCE_ARCHIVE) : Path.of(archive);
            if (Files.isReadable(own)) {
                command.add(WorkerArchive.OPTION + own);
            }
        }
        if (cluster != null) {
            command.add("-D" + Session.CLUSTER + "=" + cluster);
        }
        command.addAll(options.flags());
        command.addAll(main);
        command.addAll(arguments);
        Process process;
        try {
            process = new ProcessBuilder(command).inheritIO().start();
        } catch (IOException e) {
            throw MillraceException.resources("A process for " + program + " could not be started: " + e.getMessage());
        }
        Thread stop = new Thread(process::destroy, "stops " + program);
        java.lang.Runtime.getRuntime().addShutdownHook(stop);
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }

    /// Those of this process, but for debuggers and profilers, which are at its ports and files.
    static List<String> flags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> !flag.startsWith("-agent") && !flag.startsWith("-javaagent"))
                .filter(flag -> !flag.startsWith("-D" + Session.CLUSTER + "="))
                // It does not fit a process with the compiler in it, and then Java uses none at all, not even its own.
                .filter(flag -> !flag.startsWith(WorkerArchive.OPTION))
                .toList();
    }

    /// The archive of classes of this process, which fits workers with its class path; null if it has none.
    static @Nullable String archive() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith(WorkerArchive.OPTION))
                .map(flag -> flag.substring(WorkerArchive.OPTION.length()))
                .findFirst()
                .orElse(null);
    }

    private static boolean isSource(Path file) {
        return file.toString().endsWith(".java");
    }

    private List<String> mainOf(Path file) {
        String name = file.getFileName() == null ? "" : file.getFileName().toString();
        if (!Files.isRegularFile(file)) {
            throw new ParameterException(spec.commandLine(), "there is no file " + file + ".");
        }
        String classPath = System.getProperty("java.class.path");
        if (name.endsWith(".java")) {
            if (ModuleFinder.ofSystem().find("jdk.compiler").isEmpty()) {
                throw MillraceException.user("This Java, " + System.getProperty("java.home")
                        + ", has no compiler: run a jar, or start the command with a JDK.");
            }
            return List.of("-cp", classPath, file.toString());
        }
        if (name.endsWith(".jar")) {
            return List.of("-cp", classPathOf(file, classPath), mainClass(file));
        }
        throw new ParameterException(
                spec.commandLine(), "a program is a source file (.java) or a jar (.jar), not " + file + ".");
    }

    /// The archive of the command fits a class path that begins with its own. A jar with a Millrace of its own comes
    /// first.
    private String classPathOf(Path jar, String classPath) {
        return bringsMillrace(jar) ? jar + File.pathSeparator + classPath : classPath + File.pathSeparator + jar;
    }

    private boolean bringsMillrace(Path jar) {
        try (JarFile open = new JarFile(jar.toFile())) {
            return open.getEntry("dev/millrace/Session.class") != null;
        } catch (IOException e) {
            throw noJar(jar, e);
        }
    }

    private ParameterException noJar(Path jar, IOException e) {
        return new ParameterException(spec.commandLine(), jar + " is not a jar: " + e.getMessage() + ".");
    }

    private String mainClass(Path jar) {
        try (JarFile open = new JarFile(jar.toFile())) {
            Manifest manifest = open.getManifest();
            String main = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            if (main == null) {
                throw new ParameterException(
                        spec.commandLine(),
                        jar
                                + " names no main class. Put 'Main-Class: com.acme.Job' into its manifest (jar --main-class).");
            }
            return main;
        } catch (IOException e) {
            throw noJar(jar, e);
        }
    }
}

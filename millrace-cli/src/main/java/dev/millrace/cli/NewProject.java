package dev.millrace.cli;

import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Makes a project that builds and runs.
@Command(
        name = "new",
        description = "Makes a folder with a project, of Maven or Gradle, that builds and runs at once.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "The modules of Millrace must be in the local Maven repository; './millrace install' puts them there.",
            "",
            "Examples:",
            "  millrace new trips && cd trips && mvn -q compile exec:java",
            "  millrace new trips --gradle --package com.acme.trips",
        })
final class NewProject implements Runnable {
    private static final String NAME = "[A-Za-z][A-Za-z0-9_.-]*";
    private static final String PACKAGE = "[a-z_][a-zA-Z0-9_]*(\\.[a-z_][a-zA-Z0-9_]*)*";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "the folder, which must not exist or be empty")
    private Path folder;

    @Option(names = "--gradle", description = "for Gradle instead of Maven")
    private boolean gradle;

    @Option(names = "--package", paramLabel = "PACKAGE", description = "of its classes (default: after the name)")
    private @Nullable String javaPackage;

    @Override
    public void run() {
        Path whole = folder.toAbsolutePath().normalize();
        String name = whole.getFileName() == null ? "" : whole.getFileName().toString();
        if (!name.matches(NAME)) {
            throw mistake("a project is named with letters, digits, '-', '_' and '.', and a letter first, not '" + name
                    + "'.");
        }
        String classes =
                javaPackage == null ? name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_") : javaPackage;
        if (!classes.matches(PACKAGE)) {
            throw mistake("'" + classes + "' is no name of a package; --package com.acme.trips is one.");
        }
        if (!isFree(whole)) {
            throw mistake("'" + folder + "' is there already, and is not an empty folder.");
        }
        String version = Release.number();
        write(whole, ProjectFiles.of(name, classes, gradle, version));
        PrintWriter to = spec.commandLine().getOut();
        to.println("Made " + folder + ". It builds and runs by");
        to.println("  cd " + folder + " && " + ProjectFiles.command(gradle));
        if (!isInstalled(version)) {
            to.println("once the modules are in the local Maven repository: ./millrace install");
        }
        to.flush();
    }

    private ParameterException mistake(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    private static boolean isFree(Path folder) {
        if (!Files.exists(folder)) {
            return true;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        } catch (IOException _) {
            return false;
        }
    }

    private static void write(Path folder, Map<String, String> files) {
        try {
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = folder.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
        } catch (IOException e) {
            throw MillraceException.user("The project could not be written to '" + folder + "': " + e + ".");
        }
    }

    private static boolean isInstalled(String version) {
        return Files.isDirectory(
                Path.of(System.getProperty("user.home"), ".m2", "repository", "dev", "millrace", "millrace", version));
    }
}

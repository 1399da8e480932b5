package dev.millrace.internal.cluster.code;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/// The jars and folders of a class path in their order: those of its text, and those that the manifests of jars name.
/// What does not exist is left out, as Java does.
final class ClassPathFiles {
    private ClassPathFiles() {}

    /// Of this process: its class path, and its module path if it has one.
    static List<Path> ofThisProcess() {
        List<Path> all = new ArrayList<>(of(System.getProperty("java.class.path", "")));
        for (Path modules : of(System.getProperty("jdk.module.path", ""))) {
            // A module path names jars, folders with classes, and folders of jars.
            List<Path> jars = Files.isDirectory(modules) ? jarsIn(modules) : List.of();
            all.addAll(jars.isEmpty() ? List.of(modules) : jars);
        }
        return List.copyOf(new LinkedHashSet<>(all));
    }

    static List<Path> of(String classPath) {
        Set<Path> found = new LinkedHashSet<>();
        for (String part : classPath.split(File.pathSeparator, -1)) {
            // Java takes an empty part for the current folder. Nobody means to send that to other machines.
            if (part.isEmpty()) {
                continue;
            }
            try {
                add(Path.of(part).toAbsolutePath().normalize(), found);
            } catch (InvalidPathException e) {
                // Java ignores it too.
            }
        }
        return List.copyOf(found);
    }

    private static void add(Path file, Set<Path> found) {
        if (!Files.exists(file) || !found.add(file) || Files.isDirectory(file)) {
            return;
        }
        try (JarFile jar = new JarFile(file.toFile())) {
            Manifest manifest = jar.getManifest();
            String more = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            for (String part : more == null ? new String[0] : more.strip().split("\\s+")) {
                URI named = file.toUri().resolve(part);
                if ("file".equals(named.getScheme())) {
                    add(Path.of(named).normalize(), found);
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // Not a jar, or one that names what is none: it stays without what it names, as for Java.
        }
    }

    private static List<Path> jarsIn(Path folder) {
        File[] jars = folder.toFile().listFiles((_, name) -> name.endsWith(".jar"));
        return jars == null
                ? List.of()
                : java.util.Arrays.stream(jars).map(File::toPath).sorted().toList();
    }
}

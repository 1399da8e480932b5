package dev.millrace.internal.cluster.code;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Compiles programs as users write them, so that their classes are in no class path of the tests.
public final class CompiledCode {
    private CompiledCode() {}

    /// Compiles source files, by path (`com/acme/Job.java`), into a folder.
    public static Path folder(Path folder, Map<String, String> sources) throws IOException {
        Path written = Files.createDirectories(folder.resolveSibling(folder.getFileName() + "-sources"));
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = written.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, source.getValue()));
        }
        Files.createDirectories(folder);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean done = compiler.getTask(
                            null,
                            manager,
                            null,
                            List.of(
                                    "-d",
                                    folder.toString(),
                                    "-g",
                                    "-proc:none",
                                    "-cp",
                                    System.getProperty("java.class.path")),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            if (!done) {
                throw new IllegalStateException("the source of a test does not compile");
            }
        }
        return folder;
    }

    /// A jar of what a folder holds.
    public static Path jar(Path jar, Path folder, Manifest manifest) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (String name : FolderFiles.list(folder)) {
                out.putNextEntry(new ZipEntry(name));
                Files.copy(folder.resolve(name), out);
                out.closeEntry();
            }
        }
        return jar;
    }

    /// The same with an empty manifest.
    public static Path jar(Path jar, Path folder) throws IOException {
        return jar(jar, folder, manifest(Map.of()));
    }

    public static Manifest manifest(Map<String, String> attributes) {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        attributes.forEach(manifest.getMainAttributes()::putValue);
        return manifest;
    }
}

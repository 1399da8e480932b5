package dev.millrace.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/// Files that take long to make: they are made once, stay in the build folder, and are made again when a script beside
/// the test changes.
final class MadeFiles {
    private MadeFiles() {}

    interface Making {
        void make(Path folder) throws IOException;
    }

    /// The folder with the files.
    ///
    /// @param owner beside whose class the scripts lie
    static Path folder(String name, Class<?> owner, Making making) throws IOException {
        Path base = Path.of(System.getProperty("millrace.root", "."), "build", "test-files");
        Path folder = base.resolve(name + "-" + version(owner));
        if (Files.isDirectory(folder)) {
            return folder;
        }
        Files.createDirectories(base);
        Path unfinished = Files.createTempDirectory(base, name + ".");
        making.make(unfinished);
        try {
            return Files.move(unfinished, folder);
        } catch (FileAlreadyExistsException e) {
            delete(unfinished);
            return folder;
        }
    }

    private static String version(Class<?> owner) throws IOException {
        try (Stream<Path> all =
                Files.list(Path.of(owner.getResource("duckdb_files.py").toURI()).getParent())) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            List<Path> scripts = all.filter(file -> file.toString().endsWith("_files.py")
                            || file.toString().endsWith("to_arrow.py"))
                    .sorted()
                    .toList();
            for (Path script : scripts) {
                digest.update(Files.readAllBytes(script));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 6);
        } catch (NoSuchAlgorithmException | java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}

package dev.millrace.internal.cluster.code;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// The files of a folder with classes, and archives of them. Links are followed, as class loaders do.
final class FolderFiles {
    private FolderFiles() {}

    /// The regular files below a folder, relative to it, with `/` between the names, sorted.
    static List<String> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder, java.nio.file.FileVisitOption.FOLLOW_LINKS)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        } catch (java.io.UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// Writes the files into an archive.
    static void archive(Path folder, List<String> files, Path target) throws IOException {
        try (OutputStream out = Files.newOutputStream(target);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setLevel(Deflater.BEST_SPEED);
            for (String name : files) {
                ZipEntry entry = new ZipEntry(name);
                entry.setLastModifiedTime(FileTime.fromMillis(0));
                zip.putNextEntry(entry);
                Files.copy(folder.resolve(name), zip);
                zip.closeEntry();
            }
        }
    }
}

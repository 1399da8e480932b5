package dev.millrace.iceberg;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.iceberg.IcebergOutput;
import dev.millrace.internal.iceberg.StorageInput;
import dev.millrace.internal.iceberg.StoragePaths;
import dev.millrace.internal.storage.LocalStorage;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsPrefixOperations;

/// Accesses the files of a table through Millrace's storages: reads whatever they read (local files, `s3://` with
/// millrace-s3), writes local files only. Other tables are written through the library's FileIO for that location
/// (`io-impl`).
public final class StorageFileIO implements FileIO, SupportsPrefixOperations {
    private static final long serialVersionUID = 1L;

    @Override
    public InputFile newInputFile(String path) {
        return new StorageInput(path, -1);
    }

    @Override
    public InputFile newInputFile(String path, long length) {
        return new StorageInput(path, length);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return new IcebergOutput(path, local(path));
    }

    private static Path local(String path) {
        String known = StoragePaths.of(path);
        if (StorageRegistry.scheme(known).isPresent()) {
            throw MillraceException.user("'" + path + "' cannot be written by " + StorageFileIO.class.getSimpleName()
                    + ", which writes on this machine only. Give the catalog the FileIO of that place, e.g. io-impl ="
                    + " org.apache.iceberg.aws.s3.S3FileIO of the artifact org.apache.iceberg:iceberg-aws.");
        }
        return LocalStorage.path(known);
    }

    @Override
    public void deleteFile(String path) {
        try {
            Files.deleteIfExists(local(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        Path folder = local(prefix);
        List<FileInfo> files = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return files;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                StoredFile stored = new StoredFile(file.toString(), Files.size(file));
                files.add(new FileInfo(
                        stored.path(),
                        stored.bytes(),
                        Files.getLastModifiedTime(file).toMillis()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    @Override
    public void deletePrefix(String prefix) {
        listPrefix(prefix).forEach(file -> deleteFile(file.location()));
    }
}

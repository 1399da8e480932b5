package dev.millrace.source;

import dev.millrace.compute.ReadTasks;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Common options of all reads of files.
///
/// Files of one read may have different columns: those of the read are the union by name of the files sampled for the
/// schema (the first, the last and some between them, or all of them by [#unionOfAllFiles]), each of a type that fits
/// all of these files. A missing column of a file is null. A file with a column that the samples did not have is an
/// error, unless the columns to read are named by [#columns].
///
/// @param paths adds the file's path to each row, in the column `path`
/// @param hive whether folders named `key=value` are columns; they come last
/// @param partitionTypes the types of such columns; for those not named here integers and dates are recognised, others
///     are strings
/// @param shuffleSeed reads the files in an order determined by this seed; null: in the order of their names
/// @param compression of all files: "gzip", "zstd", "lz4", "bzip2", "xz" or "none"; null: by the ending of each name
/// @param columns the columns to read, in this order; null: all
/// @param looksAtAllFiles whether every file is sampled for the schema
/// @param selection which files are read
/// @param tasks how the tasks of the read run
public record FileReads(
        boolean paths,
        boolean hive,
        Map<String, DataType> partitionTypes,
        @Nullable Long shuffleSeed,
        @Nullable String compression,
        @Nullable List<String> columns,
        boolean looksAtAllFiles,
        FileSelection selection,
        ReadTasks tasks)
        implements FileReadOptions<FileReads> {
    private static final FileReads DEFAULTS =
            new FileReads(false, true, Map.of(), null, null, null, false, FileSelection.ALL, ReadTasks.defaults());

    public FileReads {
        partitionTypes = Collections.unmodifiableMap(new LinkedHashMap<>(partitionTypes));
        columns = columns == null ? null : List.copyOf(columns);
        if (columns != null && new HashSet<>(columns).size() < columns.size()) {
            throw MillraceException.user("The columns of a read are named twice in " + columns + ".");
        }
    }

    /// Checks the maximum length of a text record: at most twice that is held of a file while its end is searched.
    static void requireRecordBytes(String options, int bytes) {
        if (bytes < 1 || bytes > 1 << 29) {
            throw MillraceException.user(
                    options + ".maxRecordBytes: a record has 1 to 536870912 bytes, not " + bytes + ".");
        }
    }

    /// All files, columns of folders `key=value`, nothing else.
    public static FileReads defaults() {
        return DEFAULTS;
    }

    @Override
    public FileReads files() {
        return this;
    }

    @Override
    public FileReads files(FileReads options) {
        return options;
    }

    /// The compression of all files, whatever their names: gzip, zstd, lz4, bzip2, xz or none.
    public FileReads compression(String name) {
        return new FileReads(
                paths, hive, partitionTypes, shuffleSeed, name, columns, looksAtAllFiles, selection, tasks);
    }

    /// Only these columns of the files, in this order; others are skipped, also new columns of later files. The path
    /// follows them if it is requested; a column of folders is included if it is named.
    public FileReads columns(String... names) {
        return new FileReads(
                paths,
                hive,
                partitionTypes,
                shuffleSeed,
                compression,
                List.of(names),
                looksAtAllFiles,
                selection,
                tasks);
    }

    FileReads withPaths() {
        return new FileReads(
                true, hive, partitionTypes, shuffleSeed, compression, columns, looksAtAllFiles, selection, tasks);
    }

    FileReads withoutHive() {
        return new FileReads(
                paths, false, Map.of(), shuffleSeed, compression, columns, looksAtAllFiles, selection, tasks);
    }

    FileReads withPartition(String name, DataType type) {
        Map<String, DataType> types = new LinkedHashMap<>(partitionTypes);
        types.put(name, type);
        return new FileReads(paths, true, types, shuffleSeed, compression, columns, looksAtAllFiles, selection, tasks);
    }

    FileReads withShuffle(long seed) {
        return new FileReads(
                paths, hive, partitionTypes, seed, compression, columns, looksAtAllFiles, selection, tasks);
    }

    FileReads withLooksAtAllFiles() {
        return new FileReads(paths, hive, partitionTypes, shuffleSeed, compression, columns, true, selection, tasks);
    }

    FileReads with(FileSelection other) {
        return new FileReads(
                paths, hive, partitionTypes, shuffleSeed, compression, columns, looksAtAllFiles, other, tasks);
    }

    FileReads with(ReadTasks other) {
        return new FileReads(
                paths, hive, partitionTypes, shuffleSeed, compression, columns, looksAtAllFiles, selection, other);
    }
}

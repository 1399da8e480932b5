package dev.millrace.source;

import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;

/// Options of reading files of any format: which files, which columns their paths define, and how the tasks of the read
/// run. Each method returns a changed copy: `ReadCsv.defaults().blocks(64).exclude("draft-*")`.
///
/// @param <O> the options themselves
public interface FileReadOptions<O extends FileReadOptions<O>> extends ReadFormatOptions {
    /// The same with other common options.
    O files(FileReads options);

    // Which files

    /// Only files with these endings, in any case and with or without the dot: in folders instead of the format's own
    /// endings, and among paths and globs only those that have one. Endings of compression may follow.
    default O fileExtensions(String... names) {
        return files(files().with(files().selection().extensions(names)));
    }

    /// Excludes files, and everything in folders, that a path or a glob names. A pattern without a slash is matched
    /// against the name of the file and of each folder above it (`_old`, `*.tmp`), one with a slash against the whole
    /// path, as [#includePaths] shows it. Several calls add up.
    default O exclude(String... paths) {
        return files(files().with(files().selection().exclude(paths)));
    }

    /// Only files whose folders `key=value` satisfy the condition: `partitionFilter(col("year").ge(2024))`. Others are
    /// not opened. Types are those of the columns, see [#partition]. Several calls must all hold.
    default O partitionFilter(Expression condition) {
        return files(files().with(files().selection().where(condition)));
    }

    /// A missing path has no rows, as long as one exists; otherwise it is an error.
    default O ignoreMissingPaths() {
        return files(files().with(files().selection().ignoringMissing()));
    }

    /// Reads the files in an order determined by the seed: the same for the same files.
    default O shuffleFiles(long seed) {
        return files(files().withShuffle(seed));
    }

    // Columns

    /// Adds the file's path to each row, in the column `path`.
    default O includePaths() {
        return files(files().withPaths());
    }

    /// Folders named `key=value` define no columns.
    default O withoutPartitions() {
        return files(files().withoutHive());
    }

    /// The type of a column of folder names.
    default O partition(String name, DataType type) {
        return files(files().withPartition(name, type));
    }

    /// Samples every file for the schema before the read begins, which takes time if there are many. For formats
    /// without a header (JSON, TFRecord, WebDataset) that is a sample of each.
    default O unionOfAllFiles() {
        return files(files().withLooksAtAllFiles());
    }

    // Tasks

    /// This many blocks, as long as there are as many rows: see [dev.millrace.compute.ReadTasks#blocks(int)].
    default O blocks(int count) {
        return files(files().with(files().tasks().blocks(count)));
    }

    /// CPUs that a task takes while it reads, 1 by default: with 0.25, eight run at once on two CPUs.
    default O cpus(double each) {
        return files(files().with(files().tasks().cpus(each)));
    }

    /// At most this many tasks of the read at once.
    default O concurrency(int most) {
        return files(files().with(files().tasks().concurrency(most)));
    }

    /// Bytes that a task of the read needs beside its blocks: no more run at once than the session has memory for.
    default O memory(long bytes) {
        return files(files().with(files().tasks().memory(bytes)));
    }
}

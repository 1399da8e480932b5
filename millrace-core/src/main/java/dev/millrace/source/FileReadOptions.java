package dev.millrace.source;

import dev.millrace.compute.ReadTasks;
import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;

/// Options of reading files, whatever their format: which files, which columns their paths make, and how the tasks of
/// the read run. Each method returns a changed copy: `ReadCsv.defaults().blocks(64).exclude("draft-*")`.
///
/// @param <O> the options themselves
public interface FileReadOptions<O extends FileReadOptions<O>> extends ReadFormatOptions {
    /// The same with other values of what all reads have in common.
    O files(FileReads options);

    // Which files

    /// Only files whose names end so, in any case and with or without the dot: in folders instead of the endings that
    /// the format has, and of paths and globs only those that do. Endings of compression may follow.
    default O fileExtensions(String... names) {
        return files(files().with(files().selection().extensions(names)));
    }

    /// Leaves out files, and all in folders, that a path or a glob names. One without a slash is held against the name
    /// of the file and of each folder above it (`_old`, `*.tmp`), one with a slash against the whole path, as
    /// [#includePaths] shows it. Several calls add up.
    default O exclude(String... paths) {
        return files(files().with(files().selection().exclude(paths)));
    }

    /// Only files for whose folders `key=value` the condition holds: `partitionFilter(col("year").ge(2024))`. Others
    /// are not opened. Types are those of the columns, see [#partition]. Several calls must all hold.
    default O partitionFilter(Expression condition) {
        return files(files().with(files().selection().where(condition)));
    }

    /// A path that is not there has no rows, as long as one is; otherwise it is an error.
    default O ignoreMissingPaths() {
        return files(files().with(files().selection().ignoringMissing()));
    }

    /// Reads the files in an order drawn from the seed: the same for the same files.
    default O shuffleFiles(long seed) {
        return files(files().withShuffle(seed));
    }

    // Columns

    /// Adds the file's path to each row, in the column `path`.
    default O includePaths() {
        return files(files().withPaths());
    }

    /// Folders named `key=value` mean nothing.
    default O withoutPartitions() {
        return files(files().withoutHive());
    }

    /// The type of a column that is made of folder names.
    default O partition(String name, DataType type) {
        return files(files().withPartition(name, type));
    }

    /// Looks at every file for the schema before the read begins, which takes a while where there are many. Of formats
    /// that have no header (JSON, TFRecord, WebDataset) that is a sample of each.
    default O unionOfAllFiles() {
        return files(files().withLooksAtAllFiles());
    }

    // Tasks

    /// So many blocks, as long as there are as many rows: see [ReadTasks#blocks].
    default O blocks(int count) {
        return files(files().with(files().tasks().blocks(count)));
    }

    /// CPUs that a task takes while it reads, 1 unless said otherwise: with 0.25, eight run at once on two CPUs.
    default O cpus(double each) {
        return files(files().with(files().tasks().cpus(each)));
    }

    /// At most so many tasks of the read at once.
    default O concurrency(int most) {
        return files(files().with(files().tasks().concurrency(most)));
    }

    /// Bytes that a task of the read needs beside its blocks: no more run at once than the session has memory for.
    default O memory(long bytes) {
        return files(files().with(files().tasks().memory(bytes)));
    }
}

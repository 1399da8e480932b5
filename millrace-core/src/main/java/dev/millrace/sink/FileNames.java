package dev.millrace.sink;

import java.io.Serializable;
import java.util.Locale;

/// Names the files of a job, on the driver. Names must differ within the job and, except when overwriting, from those
/// in the folder; a clash is an error and nothing is committed. Files are read back in the order of their names.
@FunctionalInterface
public interface FileNames extends Serializable {
    /// `part-JOB-000004-000000.arrow`: in the order of the rows, those of later jobs after those of earlier ones.
    FileNames PARTS = part ->
            String.format(Locale.ROOT, "part-%s-%06d-%06d.%s", part.job(), part.task(), part.file(), part.extension());

    /// The name of a file, without a folder; must differ from part to part.
    String name(Part part);

    /// Which file is to be named.
    ///
    /// @param job the job's id
    /// @param task number of the task, from 0, in the order of the rows
    /// @param file number of the file within its task
    /// @param extension without the dot
    record Part(String job, long task, int file, String extension) {}
}

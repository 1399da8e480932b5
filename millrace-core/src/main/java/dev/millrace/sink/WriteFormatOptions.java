package dev.millrace.sink;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Options of writing one file format: each format has a record of its own (`WriteCsv`; `WriteParquet` in
/// `dev.millrace.parquet`, `WriteImages` in `dev.millrace.images.options`), and refuses another's at the call.
/// [WriteOptions] are the common options of all formats: which folder and which files.
public interface WriteFormatOptions extends Serializable {
    /// Mode, sizes and names of the files, if a verb takes no [WriteOptions] beside these.
    default WriteOptions files() {
        return WriteOptions.defaults();
    }

    /// The column whose texts name the files, for a format that writes a file for each row; null: [WriteOptions#names]
    /// names them.
    default @Nullable String nameColumn() {
        return null;
    }
}

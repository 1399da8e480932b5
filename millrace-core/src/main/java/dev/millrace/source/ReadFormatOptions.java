package dev.millrace.source;

import java.io.Serializable;

/// Options of reading one file format: each format has a record of its own (`ReadCsv`; `ReadParquet` in
/// `dev.millrace.parquet`, `ReadImages` in `dev.millrace.images.options`), and refuses another's at the call. The
/// format of a module of somebody else's brings its own with its [FormatProvider].
public interface ReadFormatOptions extends Serializable {
    /// What all reads of files have in common.
    FileReads files();
}

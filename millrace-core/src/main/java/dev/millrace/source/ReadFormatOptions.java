package dev.millrace.source;

import java.io.Serializable;

/// Options of reading one file format: each format has a record of its own (`ReadCsv`; `ReadParquet` in
/// `dev.millrace.parquet`, `ReadImages` in `dev.millrace.images.options`), and refuses another's at the call. A
/// third-party format provides its own with its [FormatProvider].
public interface ReadFormatOptions extends Serializable {
    /// The common options of all reads of files.
    FileReads files();
}

package dev.millrace.source;

import java.util.List;

/// A file format that can be read, found by `ServiceLoader`: a module that holds one names it in
/// `META-INF/services/dev.millrace.source.FormatProvider`.
public interface FormatProvider {
    /// What `Session.read(format, ...)` calls it, in lower case: "parquet".
    String name();

    /// How its files' names end: ".parquet".
    List<String> extensions();

    /// A source over paths, folders and globs. Checks what can be checked now: that there are files and that the first
    /// one's schema can be read.
    ///
    /// @param options the format's own record of options, or null for the defaults
    Source open(List<String> paths, Object options);
}

package dev.millrace.source;

import dev.millrace.error.MillraceException;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteFormatOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file format that can be read and, optionally, written; found by `ServiceLoader`: a module that contains one names
/// it in `META-INF/services/dev.millrace.source.FormatProvider`.
public interface FormatProvider {
    /// Its name in `Session.read(format, ...)` and `Dataset.write(format, ...)`, in lower case: "parquet".
    String name();

    /// Its file endings: ".parquet".
    List<String> extensions();

    /// A source over paths, folders and globs. Checks what can be checked now: that there are files and that the first
    /// one's schema can be read.
    ///
    /// @param options the format's own record of options, or null for the defaults; another format's is refused
    Source open(List<String> paths, @Nullable ReadFormatOptions options);

    /// The writer of files of this format.
    ///
    /// @param options the format's own record of options for writing, or null for the defaults; another format's is
    ///     refused
    default FileFormat writing(@Nullable WriteFormatOptions options) {
        throw MillraceException.user("The format '" + name() + "' can be read, but not written.");
    }
}

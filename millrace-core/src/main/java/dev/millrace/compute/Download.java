package dev.millrace.compute;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.Objects;

/// How a column of addresses becomes bytes: `Download.into("image").concurrency(128).onError(ErrorPolicy.nulls())`.
/// Immutable.
///
/// @param column the column of bytes that is added; one of this name is replaced
/// @param concurrency how many files a task fetches at once
/// @param onError what becomes of a row whose file cannot be had after several tries; with nulls only the bytes are
/// null
public record Download(String column, int concurrency, ErrorPolicy onError) implements Serializable {
    private static final int DEFAULT_CONCURRENCY = 64;

    public Download {
        Objects.requireNonNull(column);
        Objects.requireNonNull(onError);
        if (concurrency < 1) {
            throw MillraceException.user("download: the concurrency must be 1 or more, not " + concurrency + ".");
        }
    }

    /// Into a column of this name.
    public static Download into(String column) {
        return new Download(column, DEFAULT_CONCURRENCY, ErrorPolicy.fail());
    }

    public Download concurrency(int files) {
        return new Download(column, files, onError);
    }

    public Download onError(ErrorPolicy policy) {
        return new Download(column, concurrency, policy);
    }
}

package dev.millrace.compute;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// How the files named by a column of addresses are fetched:
/// `Download.into("image").concurrency(128).onError(ErrorPolicy.nulls())`. Immutable.
///
/// @param column the added column of bytes; an existing one of this name is replaced
/// @param concurrency how many files a task fetches at once
/// @param onError what happens to a row whose file cannot be fetched after several tries; with nulls only the bytes are
///     null
/// @param schemes of the addresses that are followed, in lower case; `file` means local paths. The addresses may come
///     from an untrusted source, so only the web is followed by default
/// @param maxBytes the largest file; a larger one is an error, whether its server reports its size or not
/// @param timeout for one file from the first request to the last byte, including all tries, but without waits for
///     memory
public record Download(
        String column, int concurrency, ErrorPolicy onError, List<String> schemes, long maxBytes, Duration timeout)
        implements Serializable {
    private static final int DEFAULT_CONCURRENCY = 64;
    private static final long DEFAULT_MAX_BYTES = 256 << 20;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);
    private static final List<String> DEFAULT_SCHEMES = List.of("http", "https");

    public Download {
        Objects.requireNonNull(column);
        Objects.requireNonNull(onError);
        schemes =
                schemes.stream().map(scheme -> scheme.toLowerCase(Locale.ROOT)).toList();
        for (String scheme : schemes) {
            if (!scheme.matches("[a-z][a-z0-9+.-]*")) {
                throw MillraceException.user("download: '" + scheme + "' is no scheme of addresses. Schemes are named"
                        + " without \"://\": http, https, s3, and file for paths of this machine.");
            }
        }
        if (concurrency < 1) {
            throw MillraceException.user("download: the concurrency must be 1 or more, not " + concurrency + ".");
        }
        if (maxBytes < 1) {
            throw MillraceException.user("download: the largest file must have 1 byte or more, not " + maxBytes + ".");
        }
        if (!timeout.isPositive()) {
            throw MillraceException.user("download: the time for a file must be more than 0, not " + timeout + ".");
        }
    }

    /// Into a column of this name.
    public static Download into(String column) {
        return new Download(
                column, DEFAULT_CONCURRENCY, ErrorPolicy.fail(), DEFAULT_SCHEMES, DEFAULT_MAX_BYTES, DEFAULT_TIMEOUT);
    }

    /// How many files each task fetches at once.
    public Download concurrency(int files) {
        return new Download(column, files, onError, schemes, maxBytes, timeout);
    }

    /// What happens to rows whose file cannot be fetched, after all tries.
    public Download onError(ErrorPolicy policy) {
        return new Download(column, concurrency, policy, schemes, maxBytes, timeout);
    }

    /// The schemes that are followed, instead of http and https: `schemes("https", "s3", "file")`. With `file`, the
    /// origin of the addresses can read every file that this program can.
    public Download schemes(String... allowed) {
        return new Download(column, concurrency, onError, List.of(allowed), maxBytes, timeout);
    }

    /// The largest file, instead of 256 MiB.
    public Download maxBytes(long bytes) {
        return new Download(column, concurrency, onError, schemes, bytes, timeout);
    }

    /// The time for one file, with all tries, instead of 10 minutes.
    public Download timeout(Duration whole) {
        return new Download(column, concurrency, onError, schemes, maxBytes, whole);
    }
}

package dev.millrace.internal.storage;

import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.StoredFile;
import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/// What tells one version of a file of a web server from another, as its answers say. Of two answers the entity tags
/// decide; where one has none, the times of the last change and the lengths; where there are no times either, only the
/// lengths, so that another file of the same length goes unnoticed.
///
/// @param tag `ETag`, weak or strong; "": not told
/// @param changed `Last-Modified`; "": not told
/// @param bytes of the whole file; -1: not told
record HttpVersion(String tag, String changed, long bytes) {
    private static final String BETWEEN = "\n";

    /// Of an answer with the file or a part of it (200, 206), or about it (HEAD).
    static HttpVersion of(HttpResponse<?> answer) {
        long bytes = answer.statusCode() == 206
                ? HttpCalls.whole(answer)
                : HttpCalls.length(answer).orElse(-1);
        return new HttpVersion(header(answer, "ETag"), header(answer, "Last-Modified"), bytes);
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).map(String::strip).orElse("");
    }

    /// The same with another length.
    HttpVersion of(long length) {
        return new HttpVersion(tag, changed, length);
    }

    /// Whether more than a length is known.
    boolean isTold() {
        return !tag.isEmpty() || !changed.isEmpty();
    }

    /// The file with its version, so that [#requireSame] can be asked later, perhaps in another process.
    StoredFile mark(String path) {
        return new StoredFile(path, bytes, tag + BETWEEN + changed);
    }

    /// The version that a file was planned with; null where nobody asked for one.
    static @Nullable HttpVersion of(StoredFile planned) {
        if (planned.version() == null) {
            return null;
        }
        String[] parts = planned.version().split(BETWEEN, -1);
        return new HttpVersion(parts[0], parts[1], planned.bytes());
    }

    /// @param before null: nothing to compare with
    /// @throws LastingIOException if this is another version than the one before
    void requireSame(@Nullable HttpVersion before, String path) throws LastingIOException {
        if (before == null) {
            return;
        }
        boolean hasTags = !tag.isEmpty() && !before.tag.isEmpty();
        boolean hasTimes = !changed.isEmpty() && !before.changed.isEmpty();
        boolean hasLengths = bytes >= 0 && before.bytes >= 0;
        boolean isSame = hasTags
                ? tag.equals(before.tag)
                : (!hasTimes || changed.equals(before.changed)) && (!hasLengths || bytes == before.bytes);
        if (!isSame) {
            throw hasLengths && bytes < before.bytes
                    ? ChangedFile.error(path, "was shortened from " + before.bytes + " to " + bytes + " bytes")
                    : ChangedFile.replaced(path, null);
        }
    }
}

package dev.millrace.internal.s3;

import dev.millrace.internal.storage.ChangedFile;
import dev.millrace.internal.storage.RangedFile;
import dev.millrace.internal.storage.RetryWait;
import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.Storage;
import dev.millrace.storage.StoredFile;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// Fetches ranges of one object, all of the same version. The SDK retries requests without a response; a response that
/// breaks off is resumed here.
final class S3Fetcher implements RangedFile.Fetcher {
    private static final int COPIED_AT_ONCE = 64 << 10;

    private final S3Path path;
    private final S3Clients.Client client;
    /// The version from planning, or else of the first response; null before that, and if the store reports none.
    private final AtomicReference<String> version;

    /// The size of the whole object; -1 if unknown.
    private final long size;

    /// @param file with the version that all responses must have; without one, the version of the first response is
    ///     required
    S3Fetcher(S3Path path, StoredFile file) {
        this.path = path;
        this.client = S3Clients.of(path);
        this.version = new AtomicReference<>(file.version());
        this.size = file.bytes();
    }

    /// The version of an object: its entity tag, normalised across kinds of responses. Null if there is none.
    static @Nullable String version(@Nullable String tag) {
        return tag == null || tag.isEmpty() ? null : tag.replace("\"", "");
    }

    @Override
    public void fetch(long position, MemorySegment target) throws IOException {
        RetryWait wait = new RetryWait();
        long done = 0;
        while (done < target.byteSize()) {
            long before = done;
            try (ResponseInputStream<GetObjectResponse> in = open(position + done, position + target.byteSize())) {
                done = copy(in, target, done);
            } catch (Broken e) {
                done = e.done;
                wait.afterFailure(done > before, e.cause);
            }
        }
    }

    /// Fetches the whole object, in one request unless the response breaks off.
    void fetchAll(Storage.Room room) throws IOException {
        RetryWait wait = new RetryWait();
        while (true) {
            try (ResponseInputStream<GetObjectResponse> in = send(null)) {
                copy(in, room.of(in.response().contentLength()), 0);
                return;
            } catch (Broken e) {
                wait.afterFailure(false, e.cause);
            }
        }
    }

    private ResponseInputStream<GetObjectResponse> send(@Nullable String range) throws IOException {
        String wanted = version.get();
        try {
            return client.s3()
                    .getObject(GetObjectRequest.builder()
                            .bucket(path.bucket())
                            .key(path.key())
                            .range(range)
                            .ifMatch(wanted == null ? null : "\"" + wanted + "\"")
                            .build());
        } catch (SdkException e) {
            throw S3Errors.of(path, client, e);
        }
    }

    private ResponseInputStream<GetObjectResponse> open(long from, long to) throws IOException {
        ResponseInputStream<GetObjectResponse> in = send("bytes=" + from + "-" + (to - 1));
        GetObjectResponse answer = in.response();
        try {
            requireSame(answer);
        } catch (LastingIOException e) {
            in.abort();
            throw e;
        }
        if (answer.contentLength() != null && answer.contentLength() != to - from) {
            in.abort();
            throw new LastingIOException(
                    "S3 was asked for bytes " + from + " to " + to + " of '" + path + "' and answered with "
                            + answer.contentLength() + ": the object was changed, or the store does not serve ranges.",
                    null);
        }
        return in;
    }

    /// Checks version and size: not every store honours a conditional request, several first responses may arrive at
    /// once, and if the listing has no version, its size is still known.
    private void requireSame(GetObjectResponse answer) throws LastingIOException {
        String own = version(answer.eTag());
        String first = own == null ? null : version.compareAndExchange(null, own);
        long whole = whole(answer.contentRange());
        if (size >= 0 && whole >= 0 && whole < size) {
            throw ChangedFile.error(path.toString(), "was shortened from " + size + " to " + whole + " bytes");
        }
        if (first != null && !first.equals(own) || size >= 0 && whole > size) {
            throw ChangedFile.replaced(path.toString(), null);
        }
    }

    /// The total size in "bytes 0-99/1234"; -1 if it is not given.
    private static long whole(String range) {
        try {
            return range == null
                    ? -1
                    : Long.parseLong(range.substring(range.indexOf('/') + 1).strip());
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    private static long copy(ResponseInputStream<GetObjectResponse> in, MemorySegment target, long from) throws Broken {
        byte[] bytes = new byte[(int) Math.min(COPIED_AT_ONCE, target.byteSize() - from)];
        long done = from;
        try {
            while (done < target.byteSize()) {
                int count = in.read(bytes, 0, (int) Math.min(bytes.length, target.byteSize() - done));
                if (count < 0) {
                    throw new EOFException("the answer ended early");
                }
                MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, done, count);
                done += count;
            }
            return done;
        } catch (IOException | SdkException e) {
            // Do not drain the rest of the response.
            in.abort();
            throw new Broken(done, e instanceof IOException io ? io : new IOException(e));
        }
    }

    /// A response that ended early.
    private static final class Broken extends IOException {
        private static final long serialVersionUID = 1L;
        final long done;
        final transient IOException cause;

        Broken(long done, IOException cause) {
            super(cause);
            this.done = done;
            this.cause = cause;
        }
    }
}

package dev.millrace.internal.s3;

import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/// The objects below a folder in key order, fetched page by page on demand; skips objects whose name, or a folder name
/// in their key, begins with `.` or `_`.
final class S3Listing implements Iterator<StoredFile> {
    static final int PAGE = 1000;

    private final S3Path folder;
    private final String prefix;
    private final ArrayDeque<StoredFile> found = new ArrayDeque<>();
    private String token;
    private boolean ended;

    /// Reads the first page.
    S3Listing(S3Path folder) throws IOException {
        this.folder = folder;
        this.prefix = folder.prefix();
        turn();
    }

    static ListObjectsV2Response page(
            S3Path path, String prefix, @Nullable String token, @Nullable String delimiter, int most)
            throws IOException {
        S3Clients.Client client = S3Clients.of(path);
        try {
            return client.s3()
                    .listObjectsV2(ListObjectsV2Request.builder()
                            .bucket(path.bucket())
                            .prefix(prefix.isEmpty() ? null : prefix)
                            .delimiter(delimiter)
                            .continuationToken(token)
                            .maxKeys(most)
                            .build());
        } catch (SdkException e) {
            throw S3Errors.of(path, client, e);
        }
    }

    private void turn() throws IOException {
        ListObjectsV2Response page = page(folder, prefix, token, null, PAGE);
        for (S3Object object : page.contents()) {
            if (isVisible(object.key().substring(prefix.length()))) {
                found.add(
                        new StoredFile(folder.sibling(object.key()), object.size(), S3Fetcher.version(object.eTag())));
            }
        }
        token = page.nextContinuationToken();
        ended = token == null;
    }

    /// False for hidden names and for objects that only mark a folder.
    static boolean isVisible(String relative) {
        if (relative.isEmpty() || relative.endsWith("/")) {
            return false;
        }
        int at = 0;
        while (true) {
            char first = at < relative.length() ? relative.charAt(at) : '/';
            if (first == '.' || first == '_') {
                return false;
            }
            int slash = relative.indexOf('/', at);
            if (slash < 0) {
                return true;
            }
            at = slash + 1;
        }
    }

    @Override
    public boolean hasNext() {
        try {
            while (found.isEmpty() && !ended) {
                turn();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("'" + folder + "' could not be listed: " + e, e);
        }
        return !found.isEmpty();
    }

    @Override
    public StoredFile next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return found.removeFirst();
    }
}

package dev.millrace.internal.s3;

import dev.millrace.internal.storage.RangedFile;
import dev.millrace.memory.Allocator;
import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.Storage;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/// Objects in S3 and in stores that implement its protocol. A folder is the set of keys that begin with its name and a
/// slash.
public final class S3Storage implements Storage {
    @Override
    public List<String> schemes() {
        return List.of("s3", "s3a");
    }

    @Override
    public Optional<StoredFile> find(String text) throws IOException {
        S3Path path = S3Path.of(text);
        if (path.key().isEmpty() || path.key().endsWith("/")) {
            return Optional.empty();
        }
        return head(path).map(object -> new StoredFile(text, object.contentLength(), S3Fetcher.version(object.eTag())));
    }

    /// The metadata of an object; empty if it does not exist.
    static Optional<HeadObjectResponse> head(S3Path path) throws IOException {
        S3Clients.Client client = S3Clients.of(path);
        try {
            return Optional.of(client.s3()
                    .headObject(request -> request.bucket(path.bucket()).key(path.key())));
        } catch (SdkException e) {
            if (S3Errors.isNotFound(e) && !S3Errors.isMissingBucket(e)) {
                return Optional.empty();
            }
            throw S3Errors.of(path, client, e);
        }
    }

    /// Requests the metadata unless the file has its version already, as those of a listing do.
    @Override
    public StoredFile current(StoredFile file) {
        try {
            return file.version() != null ? file : find(file.path()).orElse(file);
        } catch (IOException _) {
            // The error is reported when the file is opened.
            return file;
        }
    }

    @Override
    public boolean isFolder(String text) throws IOException {
        S3Path path = S3Path.of(text);
        ListObjectsV2Response page = S3Listing.page(path, path.prefix(), null, null, 1);
        return !page.contents().isEmpty() || path.key().isEmpty();
    }

    @Override
    public Iterator<StoredFile> walk(String folder) throws IOException {
        return new S3Listing(S3Path.of(folder));
    }

    @Override
    public List<String> names(String folder, int most) throws IOException {
        S3Path path = S3Path.of(folder);
        String prefix = path.prefix();
        TreeSet<String> names = new TreeSet<>();
        String token = null;
        do {
            ListObjectsV2Response page = S3Listing.page(path, prefix, token, "/", S3Listing.PAGE);
            page.commonPrefixes()
                    .forEach(below -> names.add(below.prefix()
                            .substring(prefix.length(), below.prefix().length() - 1)));
            page.contents().stream()
                    .map(object -> object.key().substring(prefix.length()))
                    .filter(name -> !name.isEmpty())
                    .forEach(names::add);
            token = page.nextContinuationToken();
        } while (token != null && names.size() < most);
        return names.stream().limit(most).toList();
    }

    @Override
    public RandomFile open(StoredFile file, Allocator allocator) throws IOException {
        S3Path path = S3Path.of(file.path());
        StoredFile sized = file.bytes() >= 0
                ? file
                : find(file.path())
                        .orElseThrow(() -> new LastingIOException(
                                "there is no object '" + path.key() + "' in bucket '" + path.bucket() + "'.", null));
        return new RangedFile(file, sized.bytes(), new S3Fetcher(path, sized), allocator);
    }

    @Override
    public void readWhole(String path, Room room) throws IOException {
        new S3Fetcher(S3Path.of(path), new StoredFile(path, -1)).fetchAll(room);
    }
}

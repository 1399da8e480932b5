package dev.millrace.internal.s3;

import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Object;

/// Operations on the objects of one bucket. Keys are full keys. Thread-safe.
final class S3Objects {
    private static final System.Logger LOG = System.getLogger(S3Objects.class.getName());
    private static final int AT_ONCE = 32;
    private static final int DELETED_AT_ONCE = 1000;
    /// The maximum size of an object in one copy request.
    private static final long MAX_COPIED = 5L << 30;
    private static final long COPIED_PART = 1L << 30;

    interface Request<T> {
        T send(S3Client client);
    }

    interface Work<T> {
        void run(T item) throws IOException;
    }

    private final S3Path path;
    private final S3Clients.Client client;

    S3Objects(S3Path path) {
        this.path = path;
        this.client = S3Clients.of(path);
    }

    String bucket() {
        return path.bucket();
    }

    S3Path pathOf(String key) {
        return S3Path.of(path.sibling(key));
    }

    <T> T send(String key, Request<T> request) throws IOException {
        try {
            return request.send(client.s3());
        } catch (SdkException e) {
            throw S3Errors.of(pathOf(key), client, e);
        }
    }

    boolean exists(String key) throws IOException {
        return S3Storage.head(pathOf(key)).isPresent();
    }

    void put(String key, byte[] bytes) throws IOException {
        send(key, s3 -> s3.putObject(to -> to.bucket(bucket()).key(key), RequestBody.fromBytes(bytes)));
    }

    void delete(String key) throws IOException {
        send(key, s3 -> s3.deleteObject(object -> object.bucket(bucket()).key(key)));
    }

    /// Copies inside the store.
    ///
    /// @return false if there is nothing at `from`
    boolean copy(String from, String to, long bytes) throws IOException {
        try {
            if (bytes > MAX_COPIED) {
                copyInParts(from, to, bytes);
            } else {
                client.s3()
                        .copyObject(copy -> copy.sourceBucket(bucket())
                                .sourceKey(from)
                                .destinationBucket(bucket())
                                .destinationKey(to));
            }
            return true;
        } catch (SdkException e) {
            if (S3Errors.isNotFound(e) && !S3Errors.isMissingBucket(e)) {
                return false;
            }
            throw S3Errors.of(pathOf(to), client, e);
        }
    }

    private void copyInParts(String from, String to, long bytes) {
        S3Client s3 = client.s3();
        String upload = s3.createMultipartUpload(begin -> begin.bucket(bucket()).key(to))
                .uploadId();
        try {
            List<CompletedPart> parts = new ArrayList<>();
            for (long at = 0; at < bytes; at += COPIED_PART) {
                int number = parts.size() + 1;
                String range = "bytes=" + at + "-" + (Math.min(bytes, at + COPIED_PART) - 1);
                String tag = s3.uploadPartCopy(part -> part.sourceBucket(bucket())
                                .sourceKey(from)
                                .copySourceRange(range)
                                .destinationBucket(bucket())
                                .destinationKey(to)
                                .uploadId(upload)
                                .partNumber(number))
                        .copyPartResult()
                        .eTag();
                parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
            }
            complete(to, upload, parts);
        } catch (SdkException e) {
            try {
                s3.abortMultipartUpload(end -> end.bucket(bucket()).key(to).uploadId(upload));
            } catch (SdkException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    /// Completes a multipart upload. If the upload is gone, because the response to an earlier request was lost, the
    /// object must exist.
    void complete(String key, String upload, List<CompletedPart> parts) {
        try {
            client.s3()
                    .completeMultipartUpload(end ->
                            end.bucket(bucket()).key(key).uploadId(upload).multipartUpload(all -> all.parts(parts)));
        } catch (SdkException e) {
            if (!S3Errors.isNotFound(e)) {
                throw e;
            }
            client.s3().headObject(object -> object.bucket(bucket()).key(key));
        }
    }

    /// Names of the folders right below a prefix.
    List<String> foldersIn(String prefix) throws IOException {
        List<String> names = new ArrayList<>();
        String token = null;
        do {
            ListObjectsV2Response page = S3Listing.page(path, prefix, token, "/", S3Listing.PAGE);
            for (CommonPrefix below : page.commonPrefixes()) {
                names.add(
                        below.prefix().substring(prefix.length(), below.prefix().length() - 1));
            }
            token = page.nextContinuationToken();
        } while (token != null);
        return names;
    }

    void deleteBelow(String prefix) throws IOException {
        String token = null;
        do {
            ListObjectsV2Response page = S3Listing.page(path, prefix, token, null, S3Listing.PAGE);
            deleteAll(page.contents().stream().map(S3Object::key).toList());
            token = page.nextContinuationToken();
        } while (token != null);
    }

    void deleteAll(List<String> keys) throws IOException {
        for (int from = 0; from < keys.size(); from += DELETED_AT_ONCE) {
            List<String> some = keys.subList(from, Math.min(keys.size(), from + DELETED_AT_ONCE));
            DeleteObjectsResponse answer;
            try {
                List<ObjectIdentifier> named = some.stream()
                        .map(key -> ObjectIdentifier.builder().key(key).build())
                        .toList();
                answer = client.s3()
                        .deleteObjects(all -> all.bucket(bucket())
                                .delete(those -> those.objects(named).quiet(true)));
            } catch (SdkException e) {
                if (!S3Errors.isNotImplemented(e)) {
                    throw S3Errors.of(path, client, e);
                }
                // Not every store supports bulk deletion.
                forEach(some, this::delete);
                continue;
            }
            if (answer.hasErrors() && !answer.errors().isEmpty()) {
                var first = answer.errors().getFirst();
                throw new IOException(answer.errors().size() + " objects could not be deleted, the first is '"
                        + pathOf(first.key()) + "': " + first.code() + ", " + first.message());
            }
        }
    }

    /// Aborts all uploads below a prefix. A store that cannot list them, or does not permit it, keeps their parts.
    void abortUploads(String prefix) throws IOException {
        try {
            ListMultipartUploadsResponse page;
            String key = null;
            String id = null;
            do {
                String afterKey = key;
                String afterId = id;
                page = client.s3()
                        .listMultipartUploads(all -> all.bucket(bucket())
                                .prefix(prefix)
                                .keyMarker(afterKey)
                                .uploadIdMarker(afterId));
                for (MultipartUpload upload : page.uploads()) {
                    if (upload.key().startsWith(prefix)) {
                        abort(upload.key(), upload.uploadId());
                    }
                }
                key = page.nextKeyMarker();
                id = page.nextUploadIdMarker();
            } while (Boolean.TRUE.equals(page.isTruncated()));
        } catch (SdkException e) {
            if (!S3Errors.isDenied(e) && !S3Errors.isNotImplemented(e)) {
                throw S3Errors.of(path, client, e);
            }
            LOG.log(System.Logger.Level.DEBUG, "uploads below ''{0}'' could not be listed", prefix);
        }
    }

    /// Aborts an upload; not an error if it has ended already.
    void abort(String key, String upload) throws IOException {
        try {
            client.s3()
                    .abortMultipartUpload(end -> end.bucket(bucket()).key(key).uploadId(upload));
        } catch (SdkException e) {
            if (!S3Errors.isNotFound(e)) {
                throw S3Errors.of(pathOf(key), client, e);
            }
        }
    }

    /// Runs the work for all items concurrently; the first failure is thrown after all work that had begun has ended.
    <T> void forEach(List<T> items, Work<T> work) throws IOException {
        Semaphore places = new Semaphore(AT_ONCE);
        List<Future<Void>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (T item : items) {
                all.add(threads.submit((Callable<Void>) () -> {
                    places.acquire();
                    try {
                        work.run(item);
                    } finally {
                        places.release();
                    }
                    return null;
                }));
            }
            for (Future<Void> each : all) {
                try {
                    each.get();
                } catch (ExecutionException | InterruptedException e) {
                    threads.shutdownNow();
                    throw thrown(e);
                }
            }
        }
    }

    private static IOException thrown(Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new ClosedByInterruptException();
        }
        return switch (e.getCause()) {
            case null -> new IOException(e);
            case MillraceException told -> throw told;
            case IOException io -> io;
            case Throwable other -> new IOException(other.getMessage(), other);
        };
    }
}

package dev.millrace.internal.storage;

import dev.millrace.internal.wording.SecretText;
import dev.millrace.storage.LastingIOException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.util.Optional;

/// Ranges of a file of a web server, all of the same version of it as the file's opening. An answer that breaks off is
/// gone on with.
final class HttpFetcher implements RangedFile.Fetcher {
    private final String path;
    private final HttpVersion version;

    HttpFetcher(String path, HttpVersion version) {
        this.path = path;
        this.version = version;
    }

    @Override
    public void fetch(long position, MemorySegment target) throws IOException {
        RetryWait wait = new RetryWait();
        long[] done = new long[1];
        while (done[0] < target.byteSize()) {
            long before = done[0];
            String range = position + before + "-" + (position + target.byteSize() - 1);
            Optional<IOException> broken = HttpCalls.get(path, range, answer -> {
                require(answer);
                try (HttpBody body = new HttpBody(answer.body())) {
                    while (done[0] < target.byteSize()) {
                        int count = body.read(target.asSlice(done[0]));
                        if (count < 0) {
                            throw new IOException("the answer ended early");
                        }
                        done[0] += count;
                    }
                } catch (IOException e) {
                    return Optional.of(e);
                }
                return Optional.empty();
            });
            if (broken.isPresent()) {
                IOException cause = broken.get();
                wait.afterFailure(
                        done[0] - before >= HttpBody.MIN_BYTES,
                        new IOException(SecretText.hide("'" + path + "' broke off: " + cause), cause));
            }
        }
    }

    private void require(HttpResponse<?> answer) throws IOException {
        HttpCalls.requireBytes(path, answer);
        if (answer.statusCode() != 206) {
            throw new LastingIOException("'" + path + "' was read in ranges, and now its server gives none.", null);
        }
        HttpVersion.of(answer).requireSame(version, path);
    }
}

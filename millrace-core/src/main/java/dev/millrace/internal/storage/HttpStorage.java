package dev.millrace.internal.storage;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.Storage;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Files of web servers, to read. They are read in ranges where the server gives them, and from front to back where it
/// does not. There are no folders.
final class HttpStorage implements Storage {
    /// For a file whose size is not told.
    private static final int FIRST_BYTES = 64 << 10;

    private static final HttpVersion UNTOLD = new HttpVersion("", "", -1);

    @Override
    public List<String> schemes() {
        return List.of("http", "https");
    }

    @Override
    public Optional<StoredFile> find(String path) throws IOException {
        Optional<HttpVersion> told = HttpCalls.head(
                path,
                answer -> HttpCalls.isMissing(answer)
                        ? Optional.empty()
                        : Optional.of(answer.statusCode() == 200 ? HttpVersion.of(answer) : UNTOLD));
        if (told.isPresent() && !told.get().isTold()) {
            // Some servers, and addresses that were signed for a GET, do not answer to HEAD, or say less.
            long bytes = told.get().bytes();
            told = Probe.of(path).map(probe -> probe.version.bytes() < 0 ? probe.version.of(bytes) : probe.version);
        }
        return told.map(version -> version.mark(path));
    }

    /// Asks again, as the version of a file is that of a moment.
    @Override
    public StoredFile current(StoredFile file) {
        try {
            return file.version() != null ? file : find(file.path()).orElse(file);
        } catch (IOException _) {
            // Whoever opens it says what is wrong.
            return file;
        }
    }

    /// What a server says of a file when it is asked for its first byte.
    private record Probe(HttpVersion version, boolean ranges) {
        static Optional<Probe> of(String path) throws IOException {
            return HttpCalls.get(path, "0-0", answer -> {
                if (HttpCalls.isMissing(answer)) {
                    return Optional.empty();
                }
                if (answer.statusCode() == 416) {
                    return Optional.of(new Probe(HttpVersion.of(answer).of(0), true));
                }
                HttpCalls.requireBytes(path, answer);
                boolean ranges = answer.statusCode() == 206 && HttpCalls.whole(answer) >= 0;
                return Optional.of(new Probe(HttpVersion.of(answer), ranges));
            });
        }
    }

    @Override
    public boolean isFolder(String path) {
        if (path.endsWith("/") || path.contains("*")) {
            throw MillraceException.user(
                    "'" + path + "' is no file of its server, and folders and globs cannot be listed"
                            + " over HTTP. Give the addresses of the files.");
        }
        return false;
    }

    @Override
    public Iterator<StoredFile> walk(String folder) {
        return Collections.emptyIterator();
    }

    @Override
    public List<String> names(String folder, int most) {
        return List.of();
    }

    @Override
    public RandomFile open(StoredFile file, Allocator allocator) throws IOException {
        Probe probe = Probe.of(file.path()).orElseThrow(() -> missing(file.path()));
        probe.version.requireSame(HttpVersion.of(file), file.path());
        return probe.ranges
                ? new RangedFile(file, probe.version.bytes(), new HttpFetcher(file.path(), probe.version), allocator)
                : new HttpStreamFile(file, probe.version);
    }

    @Override
    public void readWhole(String path, Room room) throws IOException {
        HttpCalls.get(path, null, answer -> {
            HttpCalls.requireBytes(path, answer);
            OptionalLong length = HttpCalls.length(answer);
            try (HttpBody body = new HttpBody(answer.body())) {
                if (length.isPresent()) {
                    body.fill(room.of(length.getAsLong()), 0);
                } else {
                    readUnknown(body, room);
                }
            }
            return true;
        });
    }

    private static void readUnknown(HttpBody body, Room room) throws IOException {
        MemorySegment target = room.of(FIRST_BYTES);
        MemorySegment next = MemorySegment.ofArray(new byte[1]);
        long used = 0;
        while (true) {
            // Room grows for a byte that is there, not for one that may be.
            boolean full = used == target.byteSize();
            int count = body.read(full ? next : target.asSlice(used));
            if (count < 0) {
                room.grow(target, used, used);
                return;
            }
            if (full && count > 0) {
                target = room.grow(target, used, 2 * used);
                MemorySegment.copy(next, 0, target, used, 1);
            }
            used += count;
        }
    }

    private static LastingIOException missing(String path) {
        return new LastingIOException("there is nothing at '" + path + "'.", null);
    }
}

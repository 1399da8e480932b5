package dev.millrace.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.s3.S3Storage;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.Storage;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.BucketCannedACL;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;

@Timeout(60)
class S3StorageIT {
    private static S3Server server;
    private static final Storage STORAGE = new S3Storage();

    @BeforeAll
    static void start() {
        server = S3Server.get();
    }

    private static byte[] random(int bytes, long seed) {
        byte[] all = new byte[bytes];
        new Random(seed).nextBytes(all);
        return all;
    }

    private static List<String> walk(String folder) throws IOException {
        List<String> paths = new ArrayList<>();
        STORAGE.walk(folder).forEachRemaining(file -> paths.add(file.path()));
        return paths;
    }

    @Test
    void theStorageIsFoundByItsScheme() {
        assertThat(StorageRegistry.of("s3://tests/x")).isInstanceOf(S3Storage.class);
        assertThat(StorageRegistry.of("S3A://tests/x")).isInstanceOf(S3Storage.class);
    }

    @Test
    void filesAndFoldersAreFound() throws IOException {
        server.put("find/a.txt", "hello".getBytes(StandardCharsets.UTF_8));
        server.put("find/below/b.txt", "hello".getBytes(StandardCharsets.UTF_8));
        StoredFile found = STORAGE.find("s3://tests/find/a.txt").orElseThrow();
        assertThat(found.withoutVersion()).isEqualTo(new StoredFile("s3://tests/find/a.txt", 5));
        assertThat(STORAGE.walk("s3://tests/find").next())
                .as("a listing tells the same version as the object")
                .isEqualTo(found);
        assertThat(STORAGE.find("s3://tests/find")).isEmpty();
        assertThat(STORAGE.find("s3://tests/find/")).isEmpty();
        assertThat(STORAGE.find("s3://tests/find/a.tx")).isEmpty();
        assertThat(STORAGE.isFolder("s3://tests/find")).isTrue();
        assertThat(STORAGE.isFolder("s3://tests/find/")).isTrue();
        assertThat(STORAGE.isFolder("s3://tests")).isTrue();
        assertThat(STORAGE.isFolder("s3://tests/find/a.txt")).isFalse();
        assertThat(STORAGE.isFolder("s3://tests/fin")).isFalse();
        assertThat(STORAGE.names("s3://tests/find", 10)).containsExactly("a.txt", "below");
        assertThat(STORAGE.find("s3://flaky@tests/find/a.txt")).isPresent();
    }

    @Test
    void publicDataIsReadWithoutCredentials() throws IOException {
        server.client.createBucket(bucket -> bucket.bucket("public").acl(BucketCannedACL.PUBLIC_READ));
        server.client.putObject(
                object -> object.bucket("public").key("data/a.txt").acl(ObjectCannedACL.PUBLIC_READ),
                RequestBody.fromString("hello"));
        server.proxy.fail(0, 0);
        assertThat(STORAGE.find("s3://anonymous@public/data/a.txt")).isPresent();
        assertThat(walk("s3://anonymous@public/data")).containsExactly("s3://anonymous@public/data/a.txt");
        assertThat(server.proxy.requests).hasSizeGreaterThanOrEqualTo(2);
        assertThat(server.proxy.signed).hasValue(0);

        assertThat(STORAGE.find("s3://flaky@public/data/a.txt")).isPresent();
        assertThat(server.proxy.signed).hasPositiveValue();
    }

    @Test
    void aWalkIsInTheOrderOfKeysWithoutHiddenNames() throws IOException {
        for (String key : List.of(
                "walk/b.x",
                "walk/a/2.x",
                "walk/a/1.x",
                "walk/_hidden/3.x",
                "walk/a/.4.x",
                "walk/a/_5",
                "walk/c c+%.x")) {
            server.put(key, new byte[1]);
        }
        server.put("walk/marker/", new byte[0]);
        assertThat(walk("s3://tests/walk"))
                .containsExactly(
                        "s3://tests/walk/a/1.x",
                        "s3://tests/walk/a/2.x",
                        "s3://tests/walk/b.x",
                        "s3://tests/walk/c c+%.x")
                .isEqualTo(walk("s3://tests/walk/"));
        assertThat(STORAGE.find("s3://tests/walk/c c+%.x")).isPresent();
    }

    @Test
    void longListingsComePageByPage() throws IOException {
        for (int i = 0; i < 25; i++) {
            server.put("pages/%04d".formatted(i), new byte[0]);
        }
        // A server may give less than was asked for.
        server.proxy.fail(0, 0);
        server.proxy.keysPerPage = 10;
        var walk = STORAGE.walk("s3://flaky@tests/pages");
        assertThat(walk.next().path()).isEqualTo("s3://flaky@tests/pages/0000");
        assertThat(server.proxy.requests).hasSize(1);
        int count = 1;
        while (walk.hasNext()) {
            walk.next();
            count++;
        }
        assertThat(count).isEqualTo(25);
        assertThat(server.proxy.requests).hasSize(3);
    }

    @Test
    void rangesAreReadAndReadAhead() throws IOException {
        byte[] all = random(20 << 20, 1);
        server.put("ranges", all);
        server.proxy.fail(0, 0);
        try (Allocator root = Allocator.root("test", 256 << 20);
                RandomFile file = STORAGE.open(new StoredFile("s3://flaky@tests/ranges", all.length), root)) {
            file.willRead(List.of(new RandomFile.Range(100, 200), new RandomFile.Range(5 << 20, 18 << 20)));
            check(file, all, 100, 100);
            for (int at = 5 << 20; at < 18 << 20; at += 1 << 20) {
                check(file, all, at, 1 << 20);
            }
        }
        assertThat(server.proxy.bytesOfObjects.get()).isEqualTo(100 + (13 << 20));
        assertThat(server.proxy.requests).hasSize(3).allMatch(line -> line.startsWith("GET /tests/ranges"));
    }

    private static void check(RandomFile file, byte[] all, int from, int bytes) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment target = arena.allocate(bytes);
            file.readFully(from, target);
            assertThat(target.mismatch(MemorySegment.ofArray(all).asSlice(from, bytes)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void aHundredMegabytesAreReadInParallel() throws IOException {
        byte[] all = random(100_000_000, 2);
        server.put("large", all);
        try (Allocator root = Allocator.root("test", 256 << 20)) {
            Buffer target = root.allocate(all.length);
            try (RandomFile file = STORAGE.open(new StoredFile("s3://tests/large", all.length), root)) {
                file.readFully(0, target.segment());
                assertThat(target.segment().mismatch(MemorySegment.ofArray(all)))
                        .isEqualTo(-1);
            } finally {
                target.release();
            }
        }
    }

    @Test
    void throttlingAndBrokenAnswersAreTriedAgain() throws IOException {
        byte[] all = random(6 << 20, 3);
        server.put("flaky", all);
        for (long seed = 0; seed < 4; seed++) {
            server.proxy.fail(30, seed);
            try (Allocator root = Allocator.root("test", 256 << 20);
                    RandomFile file = STORAGE.open(new StoredFile("s3://flaky@tests/flaky", all.length), root)) {
                Random random = new Random(seed);
                for (int i = 0; i < 12; i++) {
                    int from = random.nextInt(all.length);
                    check(file, all, from, random.nextInt(Math.min(1 << 20, all.length - from)));
                }
            } finally {
                assertThat(server.proxy.faults.get()).as("seed " + seed).isPositive();
                server.proxy.fail(0, 0);
            }
        }
    }

    @Test
    void aChangedObjectIsNotReadAsAMixture() throws IOException {
        server.put("changes", random(4 << 20, 4));
        try (Allocator root = Allocator.root("test", 256 << 20);
                RandomFile file = STORAGE.open(new StoredFile("s3://tests/changes", 4 << 20), root);
                Arena arena = Arena.ofShared()) {
            file.readFully(0, arena.allocate(1000));
            server.put("changes", random(4 << 20, 5));
            assertThatThrownBy(() -> file.readFully(3 << 20, arena.allocate(1000)))
                    .hasMessage("'s3://tests/changes' was replaced by another file while it was read. Read it again"
                            + " when it is whole, or read a copy.");
        }
    }

    @Test
    void errorsAreSentences() {
        assertThatThrownBy(() -> STORAGE.isFolder("s3://no-such-bucket/x"))
                .isInstanceOf(LastingIOException.class)
                .hasToString("there is no bucket 'no-such-bucket' at " + server.address + ".");
        assertThatThrownBy(() -> STORAGE.open(new StoredFile("s3://tests/missing", -1), Allocator.collected("x")))
                .isInstanceOf(LastingIOException.class)
                .hasMessage("there is no object 'missing' in bucket 'tests'.");
        assertThatThrownBy(() -> {
                    try (RandomFile file =
                            STORAGE.open(new StoredFile("s3://tests/missing", 10), Allocator.collected("x"))) {
                        file.read(0, Arena.ofAuto().allocate(10));
                    }
                })
                .hasMessage("there is no object 'missing' in bucket 'tests' at " + server.address + ".");
        assertThatThrownBy(() -> STORAGE.find("s3://nowhere@tests/x"))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(LastingIOException.class)
                .hasMessageStartingWith("S3 at http://127.0.0.1:1 could not be reached: ");
        assertThatThrownBy(() -> STORAGE.find("s3:///x"))
                .isInstanceOf(MillraceException.class)
                .hasMessage("'s3:///x' names no bucket. S3 paths are s3://bucket/key or s3://profile@bucket/key.");
    }
}

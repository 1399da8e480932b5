package dev.millrace.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.Storage;
import dev.millrace.storage.StoredFile;
import dev.millrace.testing.WebServer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HttpStorageTest {
    private final WebServer server = new WebServer();
    private final byte[] file = new byte[3_000_000];
    private final Storage storage = StorageRegistry.of("https://host/x");

    HttpStorageTest() {
        new Random(1).nextBytes(file);
        server.put("file", file);
        server.put("empty", new byte[0]);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "ranges", "chunked", "slow", "busy", "reset", "half", "moved", "nohead"})
    void allWaysGiveTheSameBytes(String way) throws IOException {
        String address = server.address(way, "file");
        StoredFile found = storage.find(address).orElseThrow();
        assertThat(found.withoutVersion()).isEqualTo(new StoredFile(address, way.equals("chunked") ? -1 : file.length));
        assertThat(found.version()).contains(Integer.toString(Arrays.hashCode(file)));
        try (Allocator root = Allocator.root("test", 64 << 20);
                RandomFile open = storage.open(found, root)) {
            assertThat(open.size()).isEqualTo(file.length);
            check(open, 2_999_000, 1000);
            check(open, 0, 100_000);
            check(open, 100_000, 900_000);
            check(open, 50_000, 10);
            assertThat(open.read(file.length, MemorySegment.ofArray(new byte[1])))
                    .isEqualTo(-1);
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment[] whole = new MemorySegment[1];
            storage.readWhole(server.address(way, "file"), bytes -> whole[0] = arena.allocate(bytes));
            assertThat(whole[0].mismatch(MemorySegment.ofArray(file))).isEqualTo(-1);
        }
    }

    private void check(RandomFile open, int from, int bytes) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment target = arena.allocate(bytes);
            open.readFully(from, target);
            assertThat(target.mismatch(MemorySegment.ofArray(file).asSlice(from, bytes)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void aWholeFileIsOneRequest() throws IOException {
        storage.readWhole(server.address("ranges", "file"), bytes -> MemorySegment.ofArray(new byte[(int) bytes]));
        storage.readWhole(server.address("plain", "empty"), bytes -> MemorySegment.ofArray(new byte[(int) bytes]));
        assertThat(server.requests).containsExactly("GET /ranges/file", "GET /plain/empty");
    }

    @Test
    void whatIsToldAheadIsFetchedInOneRequest() throws IOException {
        try (Allocator root = Allocator.root("test", 64 << 20);
                RandomFile open = storage.open(new StoredFile(server.address("ranges", "file"), -1), root)) {
            open.willRead(List.of(new RandomFile.Range(0, 1000), new RandomFile.Range(2000, 3000)));
            check(open, 0, 1000);
            check(open, 2000, 1000);
        }
        assertThat(server.requests).containsExactly("GET /ranges/file 0-0", "GET /ranges/file 0-2999");
    }

    @Test
    void aChangedFileIsNotReadAsAMixture() throws IOException {
        try (Allocator root = Allocator.root("test", 64 << 20);
                RandomFile open = storage.open(new StoredFile(server.address("ranges", "file"), -1), root)) {
            check(open, 0, 1000);
            server.put("file", new byte[file.length]);
            assertThatThrownBy(() -> check(open, 2_000_000, 1000))
                    .hasMessageContaining("was replaced by another file while it was read.");
        }
    }

    @Test
    void anAnswerWithoutEndDoesNotFillTheDisk(@TempDir Path folder) throws IOException {
        server.put("large", new byte[1 << 20]);
        String endless = server.address("endless", "large");
        Path place = Files.createFile(folder.resolve("copy"));
        assertThatThrownBy(() -> new HttpStreamFile(
                                new StoredFile(endless, -1), new HttpVersion("", "", -1), place, () -> 100)
                        .close())
                .isInstanceOf(LastingIOException.class)
                .hasMessageStartingWith(
                        "'" + endless + "' is given by its server from its begin only, so it is copied to"
                                + " the folder for temporary files: after 67")
                .hasMessageEndingWith(" bytes 100 are left there. Name another folder with -Djava.io.tmpdir, or get the"
                        + " file first.");
        assertThat(place).doesNotExist();
    }

    @Test
    void errorsAreSentences() throws IOException {
        assertThat(storage.find(server.address("plain", "missing"))).isEmpty();
        String missing = server.address("plain", "missing");
        assertThatThrownBy(() -> storage.readWhole(missing, bytes -> null))
                .isInstanceOf(LastingIOException.class)
                .hasMessage("there is nothing at '" + missing + "' (404).");
        String denied = server.address("denied", "file");
        assertThatThrownBy(() -> storage.find(denied))
                .isInstanceOf(LastingIOException.class)
                .hasMessage("access to '" + denied + "' was denied (403).");
        assertThatThrownBy(() -> storage.find("http://")).hasMessageStartingWith("'http://' is no address: ");
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThatThrownBy(() -> session.readBinaryFiles(server.address("plain", "*.csv")))
                    .hasMessage(
                            "'" + server.address("plain", "*.csv") + "' is no file of its server, and folders and globs"
                                    + " cannot be listed over HTTP. Give the addresses of the files.");
            assertThatThrownBy(() -> session.readBinaryFiles(missing)).hasMessageContaining("there is no '" + missing);
            assertThatThrownBy(() -> session.readBinaryFiles("s3://bucket/key"))
                    .hasMessage(
                            "'s3://bucket/key' needs the artifact dev.millrace:millrace-s3 on the class path. Add it.");
            assertThatThrownBy(() -> session.range(3).writeArrow("s3://bucket/key"))
                    .hasMessage(
                            "'s3://bucket/key' needs the artifact dev.millrace:millrace-s3 on the class path. Add it.");
            assertThatThrownBy(() -> session.range(3).writeArrow("https://host/x"))
                    .hasMessageContaining("cannot be written to");
        }
    }

    @Test
    void addressesAreReadLikeFiles() {
        server.put("a.bin", new byte[] {1, 2});
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThat(session.readBinaryFiles(server.address("plain", "a.bin") + "?version=3")
                            .takeAll()
                            .getFirst()
                            .getBytes("bytes"))
                    .containsExactly(1, 2);
        }
    }
}

package dev.millrace.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.testing.Python;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Python programs that read a pipeline: what they check stands in `reading.py`.
class PythonFeedTest {
    private static final AtomicLong MADE = new AtomicLong();
    private static Session session;

    @TempDir
    Path folder;

    @BeforeAll
    static void open() {
        session = Session.open();
    }

    /// Throws if bytes are held.
    @AfterAll
    static void close() {
        session.close();
    }

    /// The folder that pip would install from.
    static Path source() {
        return Path.of(System.getProperty("millrace.root"), "millrace-python", "src", "main", "python");
    }

    private static void read(String what, String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = source().toString();
        all[1] = what;
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        Python.environment("test").run(PythonFeedTest.class, "reading.py", all);
    }

    private void served(Dataset dataset, String what) {
        served(PythonFeed.of(dataset), what);
    }

    private void served(PythonFeed feed, String what) {
        try (PythonFeed.Running running = feed.open(folder.resolve("feed").toString())) {
            read(what, running.address());
        }
        assertThat(folder.resolve("feed")).doesNotExist();
    }

    @Test
    void epochsAreShuffledAndResumedInTheMiddle() {
        served(session.range(1000, 7), "epochs");
    }

    @Test
    void batchesAreValidAsLongAsSomebodyHasThem() throws IOException {
        served(session.range(1000, 7), "kept");
        assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain("memfd:millrace");
    }

    @Test
    void aReaderWithoutMoreFilesIsToldSo() {
        served(session.range(1000, 7), "crowded");
    }

    @Test
    void allRanksHaveTheSameStepsAndGoOnWhereTheyWere() {
        served(session.range(1001, 7), "ranks");
    }

    @Test
    void nothingIsMadeFarAheadOfASlowReader() {
        MADE.set(0);
        served(
                session.range(4_000_000, 400).mapBatches(batch -> {
                    MADE.addAndGet(batch.rows());
                    return batch;
                }),
                "slow");
        assertThat(MADE.get()).isBetween(100L, 3_999_999L);
    }

    @Test
    void aRankThatIsKilledDoesNotHoldUpTheOthers() {
        served(session.range(1000, 100), "lost");
    }

    @Test
    void whatGoesWrongIsASentence() {
        Dataset bad = session.range(10).mapBatches(batch -> {
            throw new IllegalStateException("this row is bad");
        });
        served(PythonFeed.of(session.range(1000, 7)).with("bad", bad), "wrong");
    }

    @Test
    void addressesThatCannotBeUsed() throws IOException {
        PythonFeed feed = PythonFeed.of(session.range(10));
        String path = folder.resolve("feed").toString();
        try (PythonFeed.Running _ = feed.open(path)) {
            assertThatThrownBy(() -> feed.open(path))
                    .hasMessage("PythonFeed: another process serves '" + path + "'. Give another path.");
        }
        assertThatThrownBy(() -> feed.open(folder.resolve("none/feed").toString()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("Give the path of a file that does not exist, in a folder that does.");
        assertThatThrownBy(() -> feed.open(folder + "/" + "x".repeat(100)))
                .hasMessageEndingWith("and a socket's may have 100. Choose a shorter one.");
        assertThatThrownBy(feed::serve)
                .hasMessageStartingWith("PythonFeed.serve: no Python program has started this one");
        assertThatThrownBy(() -> feed.with("", session.range(1)))
                .hasMessage("PythonFeed: the name '' is that of the first dataset. Give another one.");
        // What a killed process left is replaced.
        ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        killed.bind(UnixDomainSocketAddress.of(path));
        killed.close();
        assertThat(Path.of(path)).exists();
        feed.open(path).close();
        assertThat(Path.of(path)).doesNotExist();
    }
}

package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSink;
import dev.millrace.internal.commit.FolderTrees;
import dev.millrace.sink.Sink;
import dev.millrace.sink.WriteMode;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The guarantees of a file sink in addition to those of every sink, independent of the format: extend it with the
/// format and, if it is not the embedded one, with the runtime.
public abstract class SinkContract extends RowSinkContract {
    /// The sink of the format into a folder.
    protected abstract FileSink sink(String target, WriteOptions options);

    /// All rows of a folder, in order.
    protected abstract Dataset read(Session from, String target);

    @Override
    protected Sink appending() {
        return sink(out(), WriteOptions.defaults());
    }

    @Override
    protected Sink overwriting() {
        return sink(out(), WriteOptions.defaults().overwrite());
    }

    @Override
    protected Dataset written() {
        return read(session, out());
    }

    /// False if a file without rows does not store its columns.
    protected boolean holdsSchema() {
        return true;
    }

    /// The target of the sink.
    protected String out() {
        return folder.resolve("out").toString();
    }

    /// Writes a dataset to the target.
    protected WriteSummary write(Dataset dataset, WriteOptions options) {
        return dataset.write(sink(out(), options));
    }

    @Override
    protected boolean isWriting() throws IOException {
        return entries().stream().anyMatch(entry -> entry.contains("_temporary/"));
    }

    /// The visible files and any temporary leftovers, without the marker of a complete folder.
    @Override
    protected List<String> entries() throws IOException {
        if (!Files.exists(Path.of(out()))) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(Path.of(out()))) {
            return all.skip(1)
                    .map(Path::toString)
                    .filter(name -> !name.endsWith("/_SUCCESS"))
                    .toList();
        }
    }

    /// -1 if there is no such file.
    protected long sizeOf(String file) throws IOException {
        return Files.exists(Path.of(file)) ? Files.size(Path.of(file)) : -1;
    }

    /// Creates a file and its parent folders.
    protected void put(String file, String text) throws IOException {
        Files.createDirectories(Path.of(file).getParent());
        Files.writeString(Path.of(file), text);
    }

    /// Renames an entry below the target.
    protected void move(String from, String to) throws IOException {
        Files.createDirectories(Path.of(to).getParent());
        Files.move(Path.of(from), Path.of(to));
    }

    /// Makes the target an empty folder, deleting what was there.
    protected void makeEmpty() throws IOException {
        FolderTrees.delete(Path.of(out()));
        Files.createDirectories(Path.of(out()));
    }

    /// False for storages without empty folders, locks and file permissions.
    protected boolean isLocal() {
        return true;
    }

    @Test
    void rowsComeBackInOrder() throws IOException {
        WriteSummary summary = write(session.range(1000, 7));
        assertThat(ids()).isEqualTo(upTo(1000));
        assertThat(summary.rows()).isEqualTo(1000);
        assertThat(summary.files()).hasSizeBetween(7, 8);
        long bytes = 0;
        for (String file : summary.files()) {
            assertThat(sizeOf(file)).isPositive();
            bytes += sizeOf(file);
        }
        assertThat(summary.bytes()).isEqualTo(bytes);
        assertThat(summary.skipped()).isFalse();
        assertThat(entries()).containsExactlyInAnyOrderElementsOf(summary.files());
    }

    @Test
    void aMarkerTellsOtherReadersThatTheFolderIsWhole() throws IOException {
        String marker = out() + "/_SUCCESS";
        assertThatThrownBy(() -> write(failing())).hasMessageContaining("no 77");
        assertThat(sizeOf(marker)).isEqualTo(-1);
        write(session.range(3, 1));
        assertThat(sizeOf(marker)).isZero();
        write(session.range(2, 1), WriteOptions.defaults().overwrite());
        assertThat(sizeOf(marker)).isZero();
        assertThat(ids()).isEqualTo(upTo(2));
    }

    @Test
    void materialisedBlocksAreWritten() {
        try (var rows = session.range(50, 5).materialize()) {
            assertThat(write(rows).files()).hasSize(5);
        }
        assertThat(ids()).isEqualTo(upTo(50));
    }

    @Test
    void overwritingReplacesWhatAReadWouldFindAndNothingElse() throws IOException {
        WriteSummary old = write(session.range(30, 3));
        String first = old.files().getFirst();
        move(first, out() + "/zone=1" + first.substring(first.lastIndexOf('/')));
        put(out() + "/README", "mine");
        write(session.range(5, 2), WriteOptions.defaults().overwrite());
        assertThat(ids()).isEqualTo(upTo(5));
        assertThat(sizeOf(out() + "/README")).isEqualTo(4);
    }

    @Test
    void modesForATargetThatIsThere() throws IOException {
        for (WriteMode mode : WriteMode.values()) {
            makeEmpty();
            assertThat(write(session.range(3, 1), WriteOptions.defaults().mode(mode))
                            .rows())
                    .isEqualTo(3);
        }
        makeEmpty();
        write(session.range(3, 1));
        List<String> before = entries();
        WriteSummary ignored = write(failing(), WriteOptions.defaults().ignoreExisting());
        assertThat(ignored).isEqualTo(WriteSummary.NOTHING);
        assertThatThrownBy(() -> write(failing(), WriteOptions.defaults().errorIfExists()))
                .isInstanceOf(MillraceException.class)
                .hasMessage("'" + out() + "' is there already and is not empty, and the write mode is error. Write to"
                        + " another folder, or append or overwrite.");
        assertThat(entries()).isEqualTo(before);
    }

    @Test
    void aTargetThatIsAFileIsAnError() throws IOException {
        assumeTrue(isLocal());
        Files.writeString(Path.of(out()), "a file");
        assertThatThrownBy(() -> write(session.range(3)))
                .hasMessage("'" + out() + "' cannot be written to: '" + out()
                        + "' is a file, and a dataset is written as files in a folder.");
        assertThatThrownBy(() -> session.range(3).write(sink(out() + "/below", WriteOptions.defaults())))
                .hasMessageContaining("'" + out() + "' is a file");
        Path locked = Files.createDirectory(folder.resolve("locked"));
        if (locked.toFile().setWritable(false) && !Files.isWritable(locked)) {
            assertThatThrownBy(() -> session.range(3).write(sink(locked + "/x", WriteOptions.defaults())))
                    .hasMessageContaining("may not write to '" + locked + "'");
        }
    }

    @Test
    void rowsPerFile() {
        assertThat(write(session.range(100, 10), WriteOptions.defaults().minRowsPerFile(50))
                        .files())
                .hasSize(2);
        WriteOptions most = WriteOptions.defaults().overwrite().maxRowsPerFile(30);
        assertThat(write(session.range(100, 1), most).files()).hasSize(4);
        assertThat(ids()).isEqualTo(upTo(100));
        assertThat(write(session.range(100, 10), most.minRowsPerFile(30)).files())
                .hasSize(4);
        assertThat(ids()).isEqualTo(upTo(100));
        // Counts the rows that are written, not those that are read.
        Dataset third = session.range(120, 12).filter(row -> row.getLong("id") % 3 == 0);
        assertThat(write(third, WriteOptions.defaults().overwrite().minRowsPerFile(20))
                        .files())
                .hasSize(2);
        assertThatThrownBy(() -> WriteOptions.defaults().minRowsPerFile(5).maxRowsPerFile(3))
                .hasMessage("Rows per file need 0 <= min <= max and max >= 1, not min 5 and max 3.");
    }

    @Test
    void filesCanBeNamed() {
        WriteOptions named = WriteOptions.defaults()
                .names(part -> "day=1/" + part.task() + "-" + part.file() + "." + part.extension());
        assertThat(write(session.range(4, 2), named).files()).hasSize(2).allMatch(name -> name.contains("/day=1/"));
        assertThatThrownBy(() -> write(session.range(4, 2), named)).hasMessageContaining("is there already");
        assertThatThrownBy(
                        () -> write(session.range(4, 2), WriteOptions.defaults().names(_ -> "same")))
                .hasMessageContaining("'same' came twice");
        for (String odd : List.of("../x", "_x", "/x", "a/.b", " ", "a\0b")) {
            assertThatThrownBy(() ->
                            write(session.range(4, 2), WriteOptions.defaults().names(_ -> odd)))
                    .hasMessageContaining("is no name for a file in");
        }
        assertThat(ids()).isEqualTo(upTo(4));
    }

    @Test
    void aDatasetWithoutRowsWritesItsSchema() {
        WriteSummary summary = write(session.range(10, 3).filter(row -> false));
        assertThat(summary.files()).hasSize(1);
        assertThat(summary.rows()).isZero();
        if (holdsSchema()) {
            assertThat(read(session, out()).schema().names()).containsExactly("id");
        }
        assertThat(read(session, out()).count()).isZero();
    }

    @Test
    void leftoversOfDeadJobsAreRemovedAndOthersStay() throws IOException {
        assumeTrue(isLocal());
        Path temporary = Files.createDirectories(Path.of(out(), "_temporary"));
        Files.createDirectories(temporary.resolve("dead/attempt"));
        Files.writeString(temporary.resolve("dead/attempt/0.x"), "half a file");
        Files.createFile(temporary.resolve("dead.lock"));
        Path noted = Files.createDirectories(temporary.resolve("other.resumable"));
        write(session.range(3, 1));
        assertThat(temporary.resolve("dead")).doesNotExist();
        assertThat(temporary.resolve("dead.lock")).doesNotExist();
        assertThat(noted).exists();
        assertThat(ids()).isEqualTo(upTo(3));
    }
}

package dev.millrace.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Checkpoint;
import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.commit.FolderTrees;
import dev.millrace.internal.commit.JobLock;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteSummary;
import dev.millrace.source.ReadArrow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CheckpointTest {
    static final Resources CAPACITY = new Resources(4, 0, 4L << 30, Map.of());
    private static final long ROWS = 400;
    private static final int SPLITS = 40;

    /// Rows that functions of this process have seen, and the one that makes them fail.
    private static final Set<Long> SEEN = ConcurrentHashMap.newKeySet();

    private static volatile long poison = -1;

    private Session session;

    @TempDir
    Path folder;

    Runtime newRuntime(Allocator account) {
        return new EmbeddedRuntime(CAPACITY);
    }

    @BeforeEach
    void open() {
        session = openOn(this::newRuntime);
        healthy();
    }

    @AfterEach
    void close() {
        session.close();
    }

    static Session openOn(Function<Allocator, Runtime> runtime) {
        return Session.builder().progress(ProgressSettings.OFF).runtime(runtime).open();
    }

    private static void healthy() {
        SEEN.clear();
        poison = -1;
    }

    private String out() {
        return folder.resolve("out").toString();
    }

    private String memory() {
        return folder.resolve("memory").toString();
    }

    static Row visit(Row row) {
        long id = row.getLong("id");
        if (id == poison) {
            throw new IllegalStateException("poison " + id);
        }
        SEEN.add(id);
        return row.copy();
    }

    static final class Visitor implements BatchFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public Batch apply(Batch batch) {
            for (long id : batch.longs("id").toArray()) {
                if (id == poison) {
                    throw new IllegalStateException("poison " + id);
                }
                SEEN.add(id);
            }
            return batch;
        }
    }

    Dataset fused(Session on) {
        return on.range(ROWS, SPLITS).map(CheckpointTest::visit);
    }

    /// Read, a pool of actors with batches larger than a split, a write of its own.
    Dataset staged(Session on) {
        return on.range(ROWS, SPLITS).mapBatches(Visitor::new, Compute.actors(2).batchSize(16));
    }

    private WriteSummary write(Dataset dataset) {
        return dataset.checkpoint(memory()).writeArrow(out());
    }

    private void assertComplete() {
        assertComplete(SPLITS);
    }

    private void assertComplete(long splits) {
        assertThat(session.readArrow(out()).takeAll().stream().map(row -> row.getLong("id")))
                .containsExactlyElementsOf(LongStream.range(0, ROWS).boxed().toList());
        assertThat(Path.of(out(), "_temporary")).doesNotExist();
        Checkpoint.Status status = Checkpoint.status(memory());
        assertThat(status.finished()).isTrue();
        assertThat(status.done()).isEqualTo(splits).isEqualTo(status.total());
        assertThat(status.rows()).isEqualTo(ROWS);
    }

    void failsAndResumes(Function<Session, Dataset> pipeline, Session on) {
        long[] poisons = {250, 333, 399};
        long done = -1;
        for (long bad : poisons) {
            healthy();
            poison = bad;
            assertThatThrownBy(() -> write(pipeline.apply(on))).hasMessageContaining("poison " + bad);
            Checkpoint.Status status = Checkpoint.status(memory());
            assertThat(status.finished()).isFalse();
            assertThat(status.done()).isGreaterThanOrEqualTo(done).isLessThan(SPLITS);
            assertThat(status.rows()).isEqualTo(status.done() * ROWS / SPLITS);
            done = status.done();
        }
        healthy();
        WriteSummary summary = write(pipeline.apply(on));
        assertThat(summary.rows()).isEqualTo(ROWS);
        assertThat(summary.skipped()).isFalse();
        assertThat((long) SEEN.size()).as("splits that are done are not read").isEqualTo(ROWS - done * ROWS / SPLITS);
        assertComplete();
    }

    @Test
    void aFailedJobGoesOnWhereItWas() {
        failsAndResumes(this::fused, session);
    }

    @Test
    void aFailedJobWithActorsGoesOnWhereItWas() {
        failsAndResumes(this::staged, session);
    }

    /// Two blocks of each file: a split is a file.
    @Test
    void aFailedJobWhoseFilesAreCutIntoBlocksGoesOnWhereItWas() {
        String files = folder.resolve("files").toString();
        session.range(ROWS, SPLITS).writeArrow(files);
        failsAndResumes(
                on -> on.readArrow(files, ReadArrow.defaults().blocks(2 * SPLITS))
                        .map(CheckpointTest::visit),
                session);
    }

    @Test
    void aFinishedJobDoesNothingAndSaysSo() {
        WriteSummary first = write(fused(session));
        healthy();
        poison = 1;
        WriteSummary again = write(fused(session));
        assertThat(again.skipped()).isTrue();
        assertThat(again.files()).isEqualTo(first.files());
        assertThat(SEEN).isEmpty();
        assertComplete();
        assertThat(Checkpoint.status(memory()).toString())
                .startsWith("40 of 40 splits, 400 rows, ")
                .endsWith("in 40 files, to Arrow(" + out() + "), finished");
    }

    @Test
    void splitsWithoutRowsCountAsDone() throws IOException {
        Dataset few = staged(session).filter(row -> row.getLong("id") >= 395);
        assertThat(write(few).rows()).isEqualTo(5);
        assertThat(Checkpoint.status(memory()).done()).isEqualTo(SPLITS);
        FolderTrees.delete(folder.resolve("memory"));
        FolderTrees.delete(folder.resolve("out"));
        assertThat(write(session.range(ROWS, SPLITS).filter(row -> false)).files())
                .hasSize(1);
        assertThat(session.readArrow(out()).count()).isZero();
        assertThat(Checkpoint.status(memory()).done()).isEqualTo(SPLITS);
    }

    @Test
    void anOverwriteRemovesTheOldFilesAtItsEnd() {
        session.range(7, 1).writeArrow(out());
        poison = 300;
        WriteOptions overwrite = WriteOptions.defaults().overwrite();
        assertThatThrownBy(() -> fused(session).checkpoint(memory()).writeArrow(out(), overwrite))
                .hasMessageContaining("poison");
        assertThat(session.readArrow(out()).filter(row -> row.getLong("id") < 7).count())
                .isGreaterThanOrEqualTo(7);
        healthy();
        fused(session).checkpoint(memory()).writeArrow(out(), overwrite);
        assertComplete();
    }

    @Test
    void otherJobsLeaveTheTemporaryFilesAlone() {
        poison = 300;
        assertThatThrownBy(() -> write(fused(session))).hasMessageContaining("poison");
        healthy();
        WriteSummary other = session.range(3, 1).writeArrow(out());
        write(fused(session));
        other.files()
                .forEach(file -> assertThat(Path.of(file).toFile().delete()).isTrue());
        assertComplete();
    }

    @Test
    void whatChangedIsTold() throws IOException {
        poison = 300;
        assertThatThrownBy(() -> write(fused(session))).hasMessageContaining("poison");
        healthy();
        String belongs = "The checkpoint '" + memory() + "' belongs to another job: ";
        assertThatThrownBy(() -> write(fused(session).select("id")))
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith(
                        belongs + "the pipeline has changed. It had 'TransformRows[map(visit)]' where there"
                                + " now is 'Project[id]'.");
        assertThatThrownBy(() -> write(session.range(ROWS + 10, SPLITS).map(CheckpointTest::visit)))
                .hasMessageStartingWith(belongs + "the source has changed. It gave 40 splits, and now gives ");
        assertThatThrownBy(() -> fused(session).checkpoint(memory()).writeArrow(out() + "2"))
                .hasMessageStartingWith(
                        belongs + "it wrote to Arrow(" + out() + "), and now the target is Arrow(" + out() + "2).");
        write(fused(session));
        assertComplete();
    }

    @Test
    void changedFilesAreNamed() throws IOException {
        String input = folder.resolve("input").toString();
        WriteSummary files = session.range(ROWS, SPLITS).writeArrow(input);
        Dataset rows = session.readArrow(input).map(CheckpointTest::visit);
        poison = 300;
        assertThatThrownBy(() -> write(rows)).hasMessageContaining("poison");
        healthy();
        Path changed = Path.of(files.files().get(3));
        byte[] bytes = Files.readAllBytes(changed);
        var time = Files.getLastModifiedTime(changed);
        Files.setLastModifiedTime(changed, java.nio.file.attribute.FileTime.fromMillis(time.toMillis() + 5000));
        assertThatThrownBy(() -> write(session.readArrow(input).map(CheckpointTest::visit)))
                .hasMessageContaining("the source has changed. '" + changed + "' was modified since.");
        Files.delete(changed);
        assertThatThrownBy(() -> write(session.readArrow(input).map(CheckpointTest::visit)))
                .hasMessageContaining("'" + changed + "' is not read any more.");
        Files.write(changed, bytes);
        Files.setLastModifiedTime(changed, time);
        Path added = Files.copy(changed, Path.of(input, "zzz.arrow"));
        assertThatThrownBy(() -> write(session.readArrow(input).map(CheckpointTest::visit)))
                .hasMessageContaining("'" + added + "' was not there before.");
        Files.delete(added);
        write(session.readArrow(input).map(CheckpointTest::visit));
        // Small files come several to a split.
        assertComplete(Checkpoint.status(memory()).total());
    }

    @Test
    void aTornEndOfTheLogIsCutOffAndADamagedOneIsAnError() throws IOException {
        poison = 300;
        assertThatThrownBy(() -> write(fused(session))).hasMessageContaining("poison");
        healthy();
        Path log = Path.of(memory(), "commits");
        long before = Checkpoint.status(memory()).done();
        Files.writeString(log, "1234abcd done\t39\tsome", StandardOpenOption.APPEND);
        assertThat(Checkpoint.status(memory()).done()).isEqualTo(before);
        byte[] torn = Files.readAllBytes(log);
        torn[12] ^= 1;
        Files.write(log, torn);
        assertThatThrownBy(() -> write(fused(session))).hasMessageContaining("is damaged before line");
        torn[12] ^= 1;
        Files.write(log, torn);
        write(fused(session));
        assertComplete();
    }

    @Test
    void onlyOneJobAtATime() throws IOException {
        Files.createDirectories(Path.of(memory()));
        assertThat(JobLock.hold(Path.of(memory(), "lock"))).isTrue();
        assertThatThrownBy(() -> write(fused(session)))
                .hasMessage("The checkpoint '" + memory() + "' is in use by a running job.");
        JobLock.release(Path.of(memory(), "lock"));
        write(fused(session));
        assertComplete();
    }

    @Test
    void whatCannotBeResumedIsRefusedAtTheCall() {
        Dataset rows = session.range(10);
        assertRefused(rows.limit(3), "a limit or offset counts rows over all splits");
        assertRefused(rows.offset(3).map(CheckpointTest::visit), "a limit or offset counts rows");
        assertRefused(rows.union(rows), "a union has several sources");
        assertRefused(rows.zip(rows), "a zip pairs rows of different splits");
        assertRefused(
                session.fromIterator(List.of(1, 2).iterator()),
                "its rows come from an object of this process (Iterator)");
        assertRefused(session.range(10).materialize(), "materialised in the memory of this process");
        assertThatThrownBy(() -> rows.checkpoint(memory()).limit(2).writeArrow(out()))
                .hasMessageContaining("a limit");
        assertThatThrownBy(() -> rows.checkpoint(memory())
                        .writeArrow(out(), WriteOptions.defaults().minRowsPerFile(5)))
                .hasMessageContaining("minRowsPerFile puts rows of several splits into one file");
        assertThatThrownBy(() -> Checkpoint.status(memory()))
                .hasMessage("There is no checkpoint in '" + memory() + "'.");
        try (Session tolerant = Session.builder()
                .faults(FaultSettings.DEFAULT.withMaxErroredBlocks(2))
                .open()) {
            assertThatThrownBy(() -> write(fused(tolerant))).hasMessageContaining("maxErroredBlocks 2");
        }
        assertThat(Path.of(out())).doesNotExist();
    }

    private void assertRefused(Dataset dataset, String why) {
        assertThatThrownBy(() -> dataset.checkpoint(memory()))
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith("checkpoint: this dataset cannot be resumed: ")
                .hasMessageContaining(why);
    }
}

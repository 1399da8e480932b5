package dev.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.sink.LocalTarget;
import dev.millrace.internal.storage.LocalStorage;
import dev.millrace.sink.ResumableSink.Placement;
import dev.millrace.sink.WriteJob;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Commits that are stopped at every step, as by the death of their process (which [CommitKillIT] does for real): who
/// comes next sees all of it or nothing.
@Timeout(60)
@Isolated("it watches all commits of the process")
class FolderCommitTest {
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    private static final Logger LOG = Logger.getLogger(InterruptedCommits.class.getName());

    /// In memory, where there is such a file system: the disk has its say in [CommitKillIT].
    private Path base;

    @BeforeEach
    void makeFolder() throws IOException {
        Path memory = Path.of("/dev/shm");
        base = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "commit")
                : Files.createTempDirectory("commit");
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void watchNoMore() throws IOException {
        CommitSteps.watcher = _ -> {};
        LOG.setLevel(null);
        FolderTrees.delete(base);
    }

    @Test
    void aFolderThatHasTheNameOfANewFileIsRefused() throws IOException {
        Path folder = filled("taken");
        Files.createDirectories(folder.resolve("c.txt/below"));
        assertThatThrownBy(() -> CommitScene.OVERWRITE.write(folder))
                .hasMessage("'" + folder.resolve("c.txt") + "' is a folder, and a file of this name is to be written."
                        + " Remove it, or name the files otherwise.");
        releaseLocks(folder);
        assertThat(CommitScene.seen(folder)).isEqualTo(CommitScene.before());
    }

    /// Dies at the nth step.
    ///
    /// @return the step it died at, or null if it came to its end before
    private static String die(Path folder, CommitScene scene, int nth) throws IOException {
        AtomicInteger steps = new AtomicInteger();
        String[] last = new String[1];
        CommitSteps.watcher = step -> {
            if (steps.incrementAndGet() == nth) {
                last[0] = step;
                throw new Death();
            }
        };
        try {
            scene.write(folder);
        } catch (Death _) {
            // The end of a process takes its locks along.
            releaseLocks(folder);
        } finally {
            CommitSteps.watcher = _ -> {};
        }
        return last[0];
    }

    private static void releaseLocks(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(TemporaryFolder.of(folder))) {
            for (Path file :
                    all.filter(file -> file.toString().endsWith(".lock")).toList()) {
                JobLock.release(file);
            }
        }
    }

    private Path filled(String name) throws IOException {
        Path folder = Files.createDirectories(base.resolve(name)).resolve("out");
        CommitScene.fill(folder);
        return folder;
    }

    private static void requireTidy(Path folder) {
        assertThat(TemporaryFolder.of(folder)).doesNotExist();
        assertThat(SuccessMarker.isSet(folder)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void theNextReaderSeesAllOrNothingWhereverACommitStopped(CommitScene scene) throws IOException {
        Set<String> steps = new TreeSet<>();
        Set<String> seen = new TreeSet<>();
        for (int nth = 1; ; nth++) {
            Path folder = filled("r" + nth);
            String step = die(folder, scene, nth);
            boolean noted = step == null || !step.equals("begun") && !step.equals("synced");
            String found = CommitScene.seen(folder);
            assertThat(found)
                    .as("stopped at step %d, %s", nth, step)
                    .isEqualTo(noted ? scene.after() : CommitScene.before());
            seen.add(found);
            if (step == null) {
                requireTidy(folder);
                break;
            }
            steps.add(step);
            if (noted && !step.equals("ended") && !step.equals("old file deleted")) {
                requireTidy(folder);
            }
        }
        assertThat(seen).hasSize(2);
        assertThat(steps).contains("begun", "synced", "noted", "placed", "places synced", "marked", "ended");
        assertThat(steps.contains("set aside")).isEqualTo(scene.overwrite);
        assertThat(steps.contains("replaced file set aside")).isEqualTo(scene == CommitScene.PARTITIONED_OVERWRITE);
    }

    @ParameterizedTest
    @EnumSource
    void theNextWriterSeesAllOrNothingWhereverACommitStopped(CommitScene scene) throws IOException {
        for (int nth = 1; ; nth++) {
            Path folder = filled("w" + nth);
            String step = die(folder, scene, nth);
            boolean noted = step == null || !step.equals("begun") && !step.equals("synced");
            WriteJob next = WriteJob.create(false);
            LocalTarget target = CommitScene.target(folder);
            target.prepare(next);
            target.commit(next, CommitScene.write(folder, next, List.of("z"), "next"), false);
            target.discard(next);
            requireTidy(folder);
            String found = noted ? scene.after() : CommitScene.before();
            assertThat(CommitScene.seen(folder))
                    .as("stopped at step %d, %s", nth, step)
                    .isEqualTo(found.replace("}", ", z.txt=next z}"));
            if (step == null) {
                return;
            }
        }
    }

    @Test
    void aCommitThatFailsIsUndoneAndSoIsOneThatDiesMeanwhile() throws IOException {
        CommitScene scene = CommitScene.PARTITIONED_OVERWRITE;
        Set<String> steps = new TreeSet<>();
        for (int nth = 1; ; nth++) {
            Path folder = filled("u" + nth);
            // A file where the third of the new files needs a folder: those before it are placed, and taken back.
            Path hindrance = Files.createFile(folder.resolve("day=3"));
            String before = CommitScene.seen(folder);
            String step;
            try {
                step = die(folder, scene, nth);
            } catch (MillraceException e) {
                assertThat(e)
                        .hasMessageStartingWith(
                                "'" + folder + "' did not get its new files: the commit failed and was undone: ");
                step = null;
                releaseLocks(folder);
            }
            boolean left = step != null;
            if (left) {
                Files.delete(hindrance);
            }
            String undone = left ? CommitScene.before() : before;
            boolean undoing = step == null
                    || step.startsWith("un") && !step.equals("unmarked")
                    || step.equals("taken back")
                    || step.equals("brought back")
                    || step.equals("begun")
                    || step.equals("synced");
            // Before the failure nothing is decided: who comes by may find the way free.
            String found = CommitScene.seen(folder);
            assertThat(found)
                    .as("stopped at step %d, %s", nth, step)
                    .isIn(undoing ? List.of(undone) : List.of(undone, scene.after()));
            if (step == null) {
                break;
            }
            steps.add(step);
        }
        assertThat(steps).contains("undo noted", "taken back", "brought back", "undone");
    }

    @Test
    void whatFailsOtherwiseIsUndoneWhenTheJobIsAborted() throws IOException {
        Path folder = filled("abort");
        WriteJob job = WriteJob.create(false);
        LocalTarget target = CommitScene.target(folder);
        target.prepare(job);
        List<Placement> placements = CommitScene.write(folder, job, List.of("day=7/a", "b"), "new");
        CommitSteps.watcher = step -> {
            if (step.equals("set aside")) {
                CommitSteps.watcher = _ -> {};
                throw new IllegalStateException("no memory");
            }
        };
        assertThatThrownBy(() -> target.commit(job, placements, true)).hasMessage("no memory");
        target.discard(job);
        assertThat(CommitScene.seen(folder)).isEqualTo(CommitScene.before());
        assertThat(folder.resolve("day=7")).doesNotExist();
        requireTidy(folder);
    }

    @Test
    void aCommitThatHasEndedIsNotUndoneByWhatCannotBeTidiedUp() throws IOException {
        Path folder = filled("untidy");
        CommitSteps.watcher = step -> {
            if (step.equals("ended")) {
                Logger.getLogger(FolderCommit.class.getName()).setLevel(Level.OFF);
                replaceOldFileByAFolder(folder);
            }
        };
        CommitScene.OVERWRITE.write(folder);
        Logger.getLogger(FolderCommit.class.getName()).setLevel(null);
        assertThat(CommitScene.seen(folder)).isEqualTo(CommitScene.OVERWRITE.after());
        requireTidy(folder);
    }

    private static void replaceOldFileByAFolder(Path folder) {
        try (Stream<Path> all = Files.walk(TemporaryFolder.of(folder))) {
            Path old = all.filter(file -> file.endsWith("old-0")).findFirst().orElseThrow();
            Files.delete(old);
            Files.createDirectories(old.resolve("below"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anInterruptedThreadDoesNotLeaveACommitInTheMiddle() throws IOException {
        Path folder = filled("interrupted");
        CommitSteps.watcher = step -> {
            if (step.equals("placed")) {
                Thread.currentThread().interrupt();
            }
        };
        CommitScene.OVERWRITE.write(folder);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(CommitScene.seen(folder)).isEqualTo(CommitScene.OVERWRITE.after());
        requireTidy(folder);
    }

    @Test
    void aReaderWaitsForACommitThatIsAlive() throws Exception {
        Path folder = filled("live");
        CommitScene scene = CommitScene.PARTITIONED_OVERWRITE;
        CountDownLatch placed = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CommitSteps.watcher = step -> {
            if (step.equals("placed") && placed.getCount() > 0) {
                placed.countDown();
                try {
                    assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writer = threads.submit(() -> scene.write(folder));
            assertThat(placed.await(30, TimeUnit.SECONDS)).isTrue();
            AtomicBoolean began = new AtomicBoolean();
            List<Future<String>> readers = new ArrayList<>();
            // Through another name of the folder, too, and from one of those below it.
            Path link = Files.createSymbolicLink(base.resolve("link"), folder);
            readers.add(threads.submit(() -> {
                began.set(true);
                return CommitScene.seen(folder);
            }));
            readers.add(threads.submit(() -> CommitScene.seen(link)));
            Future<String> below = threads.submit(() -> CommitScene.seen(folder.resolve("day=9")));
            while (!began.get()) {
                Thread.onSpinWait();
            }
            goOn.countDown();
            writer.get(30, TimeUnit.SECONDS);
            for (Future<String> reader : readers) {
                assertThat(reader.get(30, TimeUnit.SECONDS)).isEqualTo(scene.after());
            }
            assertThat(below.get(30, TimeUnit.SECONDS)).isEqualTo("{}");
        }
        requireTidy(folder);
    }

    @Test
    void aReaderBesideCommitsThatFollowEachOtherSeesWholeOnes() throws Exception {
        Path folder = base.resolve("busy");
        AtomicBoolean enough = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch first = new CountDownLatch(1);
            Future<Integer> writer = threads.submit(() -> {
                int round = 0;
                for (; !enough.get(); round++) {
                    WriteJob job = WriteJob.create(false);
                    LocalTarget target = CommitScene.target(folder);
                    target.prepare(job);
                    String name = "r" + round;
                    List<String> names = List.of("a/" + name, "b/" + name, "c/d/" + name, "d/" + name, name);
                    target.commit(job, CommitScene.write(folder, job, names, "new"), true);
                    target.discard(job);
                    first.countDown();
                }
                return round;
            });
            assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();
            Set<String> rounds = new TreeSet<>();
            for (int i = 0; i < 2_000 && rounds.size() < 40; i++) {
                List<String> names = new ArrayList<>();
                new LocalStorage().walk(folder.toString()).forEachRemaining(file -> names.add(file.name()));
                assertThat(names).hasSize(5);
                assertThat(Set.copyOf(names)).as("%s", names).hasSize(1);
                rounds.add(names.getFirst());
            }
            enough.set(true);
            assertThat(writer.get(30, TimeUnit.SECONDS)).isGreaterThan(1);
            assertThat(rounds).hasSizeGreaterThan(1);
        }
    }

    @Test
    void jobsThatOverwriteAndAppendAtOnceLeaveWholeCommits() throws Exception {
        Path folder = filled("many");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> jobs = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                boolean overwrite = i % 3 == 0;
                jobs.add(threads.submit(() -> {
                    WriteJob job = WriteJob.create(false);
                    LocalTarget target = CommitScene.target(folder);
                    target.prepare(job);
                    List<String> names = List.of("a" + job.id(), "k/b" + job.id(), "l/c" + job.id());
                    target.commit(job, CommitScene.write(folder, job, names, "new"), overwrite);
                    target.discard(job);
                    return null;
                }));
            }
            for (Future<?> job : jobs) {
                job.get(30, TimeUnit.SECONDS);
            }
        }
        String seen = CommitScene.seen(folder);
        List<String> heads = Stream.of(seen.substring(1, seen.length() - 1).split(", "))
                .filter(file -> file.startsWith("a"))
                .map(file -> file.substring(1, file.indexOf('.')))
                .toList();
        assertThat(heads).isNotEmpty();
        assertThat(seen.split(", ")).hasSize(3 * heads.size());
        assertThat(heads)
                .allSatisfy(head -> assertThat(seen).contains("k/b" + head).contains("l/c" + head));
        requireTidy(folder);
    }

    @Test
    void aJournalFromElsewhereCannotLeadOutOfItsFolder() throws IOException {
        Path victim = Files.writeString(base.resolve("victim.txt"), "mine");
        for (String to : List.of("../victim.txt", victim.toString(), "a/../../victim.txt")) {
            Path folder = filled("hostile" + to.length());
            Path temporary = Files.createDirectories(TemporaryFolder.of(folder).resolve("j"));
            Files.writeString(temporary.resolve("evil"), "evil");
            new CommitJournal("j", false, true, List.of(new CommitJournal.Arriving("j/evil", to)), List.of())
                    .write(TemporaryFolder.of(folder));
            assertThatThrownBy(() -> CommitScene.seen(folder))
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("is no journal of a commit that this version reads: '" + to
                            + "' leads out of the folder. If it is not yours, delete it.");
        }
        Path folder = filled("linked");
        Files.createSymbolicLink(folder.resolve("link"), base);
        Path temporary = Files.createDirectories(TemporaryFolder.of(folder).resolve("j"));
        Files.writeString(temporary.resolve("evil"), "evil");
        new CommitJournal("j", false, true, List.of(new CommitJournal.Arriving("j/evil", "link/victim.txt")), List.of())
                .write(TemporaryFolder.of(folder));
        assertThat(CommitScene.seen(folder)).isEqualTo(CommitScene.before());
        assertThat(victim).hasContent("mine");
    }

    @Test
    void aFileThatIsAskedForByItsNameIsThereOnceItsCommitIsNoted() throws IOException {
        Path folder = filled("named");
        assertThat(die(folder, CommitScene.PARTITIONED_APPEND, 3)).isEqualTo("noted");
        assertThat(folder.resolve("day=2/b.txt")).doesNotExist();
        assertThat(new LocalStorage().find(folder.resolve("day=2/b.txt").toString()))
                .isPresent();
        assertThat(CommitScene.seen(folder)).isEqualTo(CommitScene.PARTITIONED_APPEND.after());
    }

    @Test
    void oddNamesOfOldFilesComeThroughTheJournal() throws IOException {
        Path folder = filled("odd");
        CharsetEncoder ofNames =
                Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder();
        for (String odd : List.of("tab\there.txt", "line\nbreak.txt", "back\\slash\\n.txt", "größe.txt")) {
            // Where the machine's locale is none that is installed, Java can only name files in ASCII.
            if (ofNames.canEncode(odd)) {
                Files.writeString(folder.resolve(odd), "odd");
            }
        }
        String step = die(folder, CommitScene.OVERWRITE, 4);
        assertThat(step).isEqualTo("unmarked");
        assertThat(CommitScene.seen(folder)).isEqualTo(CommitScene.OVERWRITE.after());
    }
}

package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Workers that are killed inside a reducer: with the shards that they hold, with the task, with another worker at the
/// same moment, and again while what they held is made again. Files say that each death came at its place. Killed local
/// workers are replaced, so all tests share one session.
@Timeout(120)
class LostReducerIT {
    private static final long ROWS = 300_000;
    private static final long GROUPS = 60;
    private static final int BLOCKS = 12;

    private static Session session;

    @TempDir
    Path folder;

    @BeforeAll
    static void open() {
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .cluster(ClusterSettings.DEFAULT.withWorkerMemory(256 << 20))
                .limits(ResourceLimits.DEFAULT.withSlots(3)) // One task at a time in each worker.
                .cluster("local:3")
                .open();
    }

    @AfterAll
    static void close() {
        session.close();
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    /// True for the first of all processes.
    private static boolean isFirst(String file) throws IOException {
        return new File(file).createNewFile();
    }

    private static void die() throws Exception {
        new ProcessBuilder("kill", "-9", String.valueOf(ProcessHandle.current().pid()))
                .start()
                .waitFor();
        Thread.sleep(30_000);
    }

    /// One row of each group, with its size and the sum of its values.
    private static Batch summed(Batch group) {
        long sum = 0;
        var ids = group.longs("id");
        for (int i = 0; i < group.rows(); i++) {
            sum += ids.get(i);
        }
        long key = group.longs("key").get(0);
        return Batch.of("key", new long[] {key}, "rows", new long[] {group.rows()}, "sum", new long[] {sum});
    }

    private static void requireRight(List<Row> rows) {
        assertThat(rows.stream()
                        .map(row -> List.of(row.getLong("key"), row.getLong("rows"), row.getLong("sum")))
                        .toList())
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, GROUPS)
                        .mapToObj(key -> List.of(
                                key,
                                ROWS / GROUPS,
                                LongStream.range(0, ROWS / GROUPS)
                                        .map(i -> key + i * GROUPS)
                                        .sum()))
                        .toList());
    }

    @Test
    void aWorkerKilledInAReducer() throws IOException {
        String killed = file("killed");
        requireRight(session.range(ROWS, BLOCKS)
                .mapBatches(LostReducerIT::keyed)
                .groupBy("key")
                .mapGroups(group -> {
                    if (isFirst(killed)) {
                        die();
                    }
                    return summed(group);
                })
                .takeAll());
        assertThat(Path.of(killed)).exists();
    }

    private static Batch keyed(Batch batch) {
        long[] keys = new long[(int) batch.rows()];
        var ids = batch.longs("id");
        for (int i = 0; i < keys.length; i++) {
            keys[i] = ids.get(i) % GROUPS;
        }
        return batch.with("key", keys);
    }

    @Test
    void anotherWorkerKilledWhileTheShardsOfTheFirstAreMadeAgain() throws IOException {
        String killed = file("killed");
        String killedAgain = file("killed-again");
        String made = file("made-");
        requireRight(session.range(ROWS, BLOCKS)
                .mapBatches(batch -> {
                    boolean again = !isFirst(made + batch.longs("id").get(0));
                    if (again && Files.exists(Path.of(killed)) && isFirst(killedAgain)) {
                        die();
                    }
                    return keyed(batch);
                })
                .groupBy("key")
                .mapGroups(group -> {
                    if (isFirst(killed)) {
                        die();
                    }
                    return summed(group);
                })
                .takeAll());
        assertThat(Path.of(killedAgain)).exists();
    }

    @Test
    void twoWorkersKilledAtOnceInTheirReducers() throws IOException {
        Path meeting = Files.createDirectory(folder.resolve("meeting"));
        String place = meeting.toString();
        requireRight(session.range(ROWS, BLOCKS)
                .mapBatches(LostReducerIT::keyed)
                .groupBy("key")
                .mapGroups(group -> {
                    dieWithAnother(place);
                    return summed(group);
                })
                .takeAll());
        assertThat(meeting.resolve("second")).exists();
    }

    /// The first two that come here, which are in different processes, wait for each other; then both die.
    private static void dieWithAnother(String place) throws Exception {
        boolean first = isFirst(place + "/first");
        if (first || isFirst(place + "/second")) {
            CutNetwork.await(Path.of(place, first ? "second" : "first"));
            die();
        }
    }
}

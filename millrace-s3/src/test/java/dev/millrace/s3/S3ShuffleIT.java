package dev.millrace.s3;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.internal.cluster.worker.WorkerOptions;
import dev.millrace.internal.cluster.worker.WorkerServer;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Shuffle data of a cluster in S3. The workers run in this process, so that they find the server of the tests.
@Timeout(120)
class S3ShuffleIT {
    private static final long ROWS = 300_000;
    private static final String TOKEN = "the token of this test";
    private static final String PREFIX = "shuffles";

    /// A worker that a function ends, once.
    private static final AtomicReference<WorkerServer> DOOMED = new AtomicReference<>();

    @TempDir
    Path folder;

    private final WorkerServer first = worker();
    private final WorkerServer second = worker();
    private S3Server server;

    private static WorkerServer worker() {
        String[] line = {"--cpus", "1", "--memory", "256m"};
        WorkerServer worker = new WorkerServer(WorkerOptions.parse(line, Map.of(WorkerOptions.TOKEN, TOKEN)));
        Thread.ofPlatform().daemon().start(worker::run);
        return worker;
    }

    @BeforeEach
    void start() {
        server = S3Server.get();
    }

    @AfterEach
    void stop() {
        DOOMED.set(null);
        first.close();
        second.close();
        assertThat(server.uploads()).isEmpty();
    }

    private Session open(String storage) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), TOKEN);
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .cluster(ClusterSettings.DEFAULT.withTokenFile(token.toString()).withShuffleStorage(storage))
                .cluster("millrace://127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port())
                .open();
    }

    @Test
    void shardsAreReadFromTheBucketThoughAWorkerIsLostAndNoObjectIsLeft() throws IOException {
        DOOMED.set(first);
        try (Session session = open("s3://" + S3Server.BUCKET + "/" + PREFIX)) {
            List<Row> groups = session.range(ROWS, 6)
                    .withColumn("key", col("id").mod(20))
                    .groupBy("key")
                    .mapGroups(batch -> {
                        WorkerServer doomed = DOOMED.getAndSet(null);
                        if (doomed != null) {
                            assertThat(S3Server.get().keys(PREFIX + "/")).anyMatch(key -> key.endsWith(".arrow"));
                            doomed.close();
                        }
                        return Batch.of("rows", new long[] {batch.rows()});
                    })
                    .takeAll();
            assertThat(groups).hasSize(20);
            assertThat(groups.stream().mapToLong(row -> row.getLong("rows")).sum())
                    .isEqualTo(ROWS);
            assertThat(DOOMED.get()).isNull();
        }
        assertThat(server.keys(PREFIX + "/")).isEmpty();
    }

    @Test
    void aBucketThatIsNotThereIsToldBeforeAnythingRunsWithoutSecrets() {
        assertThatThrownBy(() -> open("s3://no-such-bucket/tmp"))
                .hasMessageContaining("'s3://no-such-bucket/tmp'")
                .hasMessageContaining("there is no bucket")
                .hasMessageNotContaining("testing");
    }
}

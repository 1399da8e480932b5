package dev.millrace.internal.cluster.worker;

import static dev.millrace.aggregate.Aggregates.sum;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.settings.ClusterSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/// Runs what sessions on workers typically do first, with driver and worker in this process, so that an archive of its
/// classes and profiles serves both.
public final class WorkerTraining {
    private static final int ROUNDS = 12;
    private static final int TASKS = 150;
    private static final int ROWS = 100_000;

    private WorkerTraining() {}

    public static void main(String[] arguments) throws IOException {
        run();
        // Threads of libraries do not keep this process.
        System.exit(0);
    }

    /// @throws IOException if it has no folder for temporary files
    public static void run() throws IOException {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        String token = HexFormat.of().formatHex(random);
        Path file = Files.createTempFile("millrace", ".token");
        try {
            Files.writeString(file, token, StandardCharsets.UTF_8);
            String[] arguments = {"--cpus", "2", "--memory", "256m"};
            try (WorkerServer server =
                    new WorkerServer(WorkerOptions.parse(arguments, Map.of(WorkerOptions.TOKEN, token)))) {
                Thread.ofPlatform().daemon().start(server::run);
                ClusterSettings access = ClusterSettings.DEFAULT.withTokenFile(file.toString());
                try (Session session = Session.builder()
                        .cluster(access)
                        .cluster("millrace://127.0.0.1:" + server.port())
                        .open()) {
                    work(session);
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void work(Session session) {
        for (int i = 0; i < ROUNDS; i++) {
            session.range(TASKS, TASKS).takeAll();
            Dataset rows = session.range(ROWS, 4).map(row -> row.with("key", row.getLong("id") * 7 % 100));
            rows.groupBy("key").aggregate(sum("id")).takeAll();
            rows.sort("key").count();
        }
    }
}

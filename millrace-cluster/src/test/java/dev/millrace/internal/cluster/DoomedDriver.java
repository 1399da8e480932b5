package dev.millrace.internal.cluster;

import dev.millrace.Session;
import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import java.nio.file.Files;
import java.nio.file.Path;

/// The main class of a driver that a test kills: `DoomedDriver ADDRESS FOLDER KIND`. Its functions wait from a known
/// row on, until the file `go` is in the folder, and say so by the file `waits`.
final class DoomedDriver {
    static final long ROWS = 2_400_000;
    static final int BLOCKS = 12;

    private DoomedDriver() {}

    public static void main(String[] arguments) {
        Path folder = Path.of(arguments[1]);
        try (Session session = open(arguments[0], folder)) {
            switch (arguments[2]) {
                case "write" -> write(session, folder);
                case "sort" ->
                    session.range(ROWS, BLOCKS)
                            .mapBatches(batch -> batch.mapLongs("id", id -> id * 7919 % 1_000_003))
                            .sort("id")
                            .mapBatches(waiting(folder.toString(), 1000))
                            .count();
                default -> throw new IllegalArgumentException(arguments[2]);
            }
        }
    }

    static Session open(String address, Path folder) {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .cluster(ClusterSettings.DEFAULT.withTokenFile(
                        folder.resolve("token").toString()))
                .cluster(address)
                .open();
    }

    /// The same program each time: a job that is resumed must be.
    static void write(Session session, Path folder) {
        session.range(ROWS, BLOCKS)
                .mapBatches(
                        waiting(folder.toString(), ROWS * 3 / 4),
                        Compute.tasks().name("waiting"))
                .checkpoint(folder.resolve("checkpoint").toString())
                .writeArrow(folder.resolve("out").toString());
    }

    private static BatchFunction waiting(String folder, long at) {
        return batch -> {
            if (batch.longs("id").get(0) >= at && !Files.exists(Path.of(folder, "go"))) {
                Path.of(folder, "waits").toFile().createNewFile();
                CutNetwork.await(Path.of(folder, "go"));
            }
            return batch;
        };
    }
}

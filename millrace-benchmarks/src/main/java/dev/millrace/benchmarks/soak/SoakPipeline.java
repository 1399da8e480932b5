package dev.millrace.benchmarks.soak;

import dev.millrace.Session;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ExecutionSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.settings.SpillSettings;
import dev.millrace.testing.Faults;
import dev.millrace.testing.FaultyRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One random pipeline in a session of its own, determined by its seed.
final class SoakPipeline {
    private static final int MAX_ROWS = 4000;
    private static final long MIN_DRIVER_MEMORY = 64 << 20;

    private final long seed;
    private final @Nullable SoakWorkers workers;
    private @Nullable FaultyRuntime faulty;
    private volatile @Nullable Session session;
    private volatile String building = "";
    private long spilledBlocks;
    private volatile @Nullable Consumption consumption;
    private final StringBuilder text = new StringBuilder();

    /// @param workers where its tasks run; null: in this process
    SoakPipeline(long seed, @Nullable SoakWorkers workers) {
        this.seed = seed;
        this.workers = workers;
    }

    long faults() {
        return (faulty == null ? 0 : faulty.lostTasks() + faulty.killedActors() + faulty.lostNodes())
                + (consumption == null ? 0 : consumption.userFailures());
    }

    long spilledBlocks() {
        return spilledBlocks;
    }

    long rowsChecked() {
        return consumption == null ? 0 : consumption.rowsChecked();
    }

    /// A description of what runs, as far as it is known.
    synchronized String text() {
        return text + building + (consumption == null ? "" : "\n  ." + consumption.text);
    }

    /// The statistics of what is running now, to show where it hangs.
    String running() {
        Session open = session;
        return open == null ? "" : open.running().toString();
    }

    private synchronized void say(String more) {
        text.append(more);
    }

    void run() throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int cpus = 1 + random.nextInt(4);
        boolean ordered = random.nextInt(3) > 0;
        long memory = new long[] {8, 16, 64, 512}[random.nextInt(4)] << 20;
        BlockSettings blocks = BlockSettings.DEFAULT
                .withMinBytes(1 << 10)
                .withTargetBytes(1L << (10 + random.nextInt(12)))
                .withChunkBytes(1L << (8 + random.nextInt(10)));
        Faults faults = workers != null || random.nextInt(5) == 0 ? null : faults(random);
        Session.Builder builder = Session.builder()
                .progress(ProgressSettings.OFF)
                .blocks(blocks)
                .limits(limits(cpus, memory))
                .execution(ExecutionSettings.DEFAULT.withPreserveOrder(ordered));
        if (workers != null) {
            builder.cluster(ClusterSettings.DEFAULT.withTokenFile(
                            workers.tokenFile().toString()))
                    .cluster(workers.address());
        }
        if (faults != null) {
            builder.runtimeAround(own -> faulty = new FaultyRuntime(own, faults));
        }
        say("cpus " + cpus + (ordered ? ", ordered" : ", unordered") + ", memory " + (memory >> 20) + " MiB, " + blocks
                + ", " + (faults == null ? "no faults of the runtime" : faults) + "\n  ");
        Path folder = Files.createTempDirectory("millrace-soak");
        try (Session opened = builder.spill(SpillSettings.DEFAULT.withDirectories(
                        folder.resolve("spilled").toString()))
                .open()) {
            session = opened;
            Verb verbs = new Verb(random, ordered, cpus);
            Built built = pipeline(opened, random, verbs);
            if (random.nextInt(4) == 0) {
                Built other = pipeline(opened, random, verbs);
                if (!built.rows().isEmpty() && !other.rows().isEmpty()) {
                    built = unioned(built, other);
                }
            }
            say(built.text());
            Consumption last = new Consumption(opened, random, ordered, folder);
            consumption = last;
            if (workers != null) {
                workers.ready();
            }
            last.run(built);
            spilledBlocks = opened.spillStats().spilledBlocks();
        } finally {
            delete(folder);
        }
    }

    /// On workers the memory is the driver's own, and the CPUs are theirs.
    private ResourceLimits limits(int cpus, long memory) {
        return workers == null
                ? ResourceLimits.DEFAULT.withSlots(cpus).withMemory(memory)
                : ResourceLimits.DEFAULT.withMemory(Math.max(memory, MIN_DRIVER_MEMORY));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /// Both sides must have the same columns, to keep the model simple.
    private static Built unioned(Built built, Built other) {
        List<Map<String, Object>> ids = Stream.concat(built.rows().stream(), other.rows().stream())
                .map(row -> Map.of("id", row.get("id")))
                .toList();
        return built.then(
                        "select(id).union(\n  " + other.text() + "\n  .select(id))",
                        built.dataset().select("id").union(other.dataset().select("id")),
                        ids)
                .plusLetters(other);
    }

    private Built pipeline(Session session, SplittableRandom random, Verb verbs) {
        Built built = Sources.any(session, random, MAX_ROWS);
        int count = random.nextInt(7);
        for (int i = 0; i < count; i++) {
            // A verb may execute the pipeline built so far.
            building = built.text() + "\n  .materialize() or another verb";
            built = verbs.append(built, 2 * MAX_ROWS);
        }
        building = "";
        return built;
    }

    private static Faults faults(SplittableRandom random) {
        return new Faults(
                random.nextInt(1000),
                random.nextInt(3) == 0 ? 0 : random.nextInt(400),
                random.nextInt(3) == 0 ? 0 : 2 + random.nextInt(8),
                random.nextInt(3) == 0 ? 0 : 3 + random.nextInt(8),
                random.nextInt(3) == 0 ? 20 + random.nextInt(500) : 0,
                null,
                false,
                random.nextInt(3) == 0 ? 2 + random.nextInt(40) : 0);
    }
}

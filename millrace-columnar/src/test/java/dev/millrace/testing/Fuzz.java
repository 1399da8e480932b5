package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Reads damaged files: each must end in a result or in a data error that names the file, in time, within a limit of
/// memory, with every byte given back. `-Dmillrace.fuzz.runs` sets how many, `-Dmillrace.fuzz.seed` which.
///
/// A reading that is not done in time fails at once, with the seed, the case and a file with all threads: it is left to
/// itself, since it may never end.
public final class Fuzz {
    private final List<Path> originals;
    private final Path folder;
    private final String ending;
    private long memory = 256L << 20;
    private Duration most = Duration.ofSeconds(20);
    private Damage damage = Mutations::damage;

    /// @param folder where damaged files are written
    /// @param ending of their names: ".parquet"
    public Fuzz(List<Path> originals, Path folder, String ending) {
        this.originals = originals;
        this.folder = folder;
        this.ending = ending;
    }

    /// The most bytes that reading one file may hold.
    public Fuzz memory(long bytes) {
        memory = bytes;
        return this;
    }

    /// The most time that reading one file may take.
    public Fuzz time(Duration limit) {
        most = limit;
        return this;
    }

    /// Damages files in another way than [Mutations#damage(byte[], byte[])].
    public Fuzz damage(Damage way) {
        damage = way;
        return this;
    }

    public interface Damage {
        /// A damaged copy of a file; another's bytes may be spliced in.
        byte[] of(Mutations mutations, byte[] original, byte[] other);
    }

    public interface Reading {
        /// Reads all of a file. What it throws is judged.
        void read(Path damaged, Allocator allocator) throws Exception;
    }

    /// What came of a damaged file.
    ///
    /// @param number of the case
    /// @param error null where it could be read
    public record Outcome(int number, Path original, Path damaged, MillraceException error) {}

    public interface Witness {
        /// The damaged file is overwritten by the next.
        void saw(Outcome outcome) throws IOException;
    }

    /// How many files a suite damages, unless the property says otherwise.
    public static int runs(int usual) {
        return Integer.getInteger("millrace.fuzz.runs", usual);
    }

    /// @return how many could be read
    public int run(int runs, Reading reading, Witness witness) throws IOException {
        long seed = Long.getLong("millrace.fuzz.seed", Seeds.seed());
        Mutations mutations = new Mutations(seed);
        int read = 0;
        Path damaged = folder.resolve("damaged" + ending);
        // Not closed, which would wait for a reading that does not end.
        ExecutorService reader = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("fuzz-reader").daemon().factory());
        try {
            assertThat(originals)
                    .as("files that can be read before they are damaged")
                    .anyMatch(file -> one(reader, reading, file, file.toString()) == null);
            for (int i = 0; i < runs; i++) {
                Path original = mutations.pick(originals);
                byte[] other = Files.readAllBytes(mutations.pick(originals));
                Files.write(damaged, damage.of(mutations, Files.readAllBytes(original), other));
                String what = "-Dmillrace.fuzz.seed=" + seed + ", case " + i + ", " + original.getFileName();
                MillraceException error = one(reader, reading, damaged, what);
                read += error == null ? 1 : 0;
                witness.saw(new Outcome(i, original, damaged, error));
            }
        } finally {
            reader.shutdownNow();
        }
        System.out.println(
                "fuzz: " + runs + " damaged " + ending + " files, " + read + " of them readable, seed " + seed);
        return read;
    }

    public int run(int runs, Reading reading) throws IOException {
        return run(runs, reading, _ -> {});
    }

    private MillraceException one(ExecutorService reader, Reading reading, Path damaged, String what) {
        Future<?> result = reader.submit(() -> {
            try (Allocator allocator = Allocator.root(what, memory)) {
                reading.read(damaged, allocator);
            }
            return null;
        });
        try {
            result.get(most.toMillis(), TimeUnit.MILLISECONDS);
            return null;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MillraceException error) {
                assertThat(error.culprit()).as(what + ": " + error).isEqualTo(Culprit.DATA);
                assertThat(error.getMessage()).as(what).contains(damaged.toString());
                return error;
            }
            throw new AssertionError(what + ": " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError(what + ": not done after " + most + ". " + threads());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(what + ": the test was interrupted while this file was read. " + threads(), e);
        }
    }

    private static String threads() {
        try {
            return "All threads, virtual ones too, are in " + ThreadPicture.write("Fuzz") + ".";
        } catch (IOException | RuntimeException e) {
            return "Its threads could not be written to a file (" + e + "):\n" + ThreadPicture.platformThreads();
        }
    }
}

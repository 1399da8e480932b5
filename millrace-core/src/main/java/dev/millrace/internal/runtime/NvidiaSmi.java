package dev.millrace.internal.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// NVIDIA's program that reports on GPUs; it comes with the driver.
public record NvidiaSmi(Path program) {
    /// Names the program where it is not on the PATH.
    public static final String PROPERTY = "millrace.nvidia-smi";

    private static final List<String> QUERY = List.of(
            "--query-gpu=index,uuid,utilization.gpu,memory.used,memory.total,name", "--format=csv,noheader,nounits");
    private static final int COLUMNS = 6;
    private static final long MAX_SECONDS = 10;

    /// A GPU at one moment.
    ///
    /// @param busy the share of the last moment in which it computed, 0 to 1; NaN if it does not tell
    public record Reading(int device, String uuid, double busy, long usedBytes, long totalBytes, String name) {
        /// Of `0, GPU-5ee0..., 37, 1204, 143771, NVIDIA H200`; empty for any other line.
        static Optional<Reading> of(String line) {
            String[] words = line.split(",", COLUMNS);
            if (words.length < COLUMNS || !words[0].strip().matches("\\d{1,4}")) {
                return Optional.empty();
            }
            double percent = number(words[2]);
            return Optional.of(new Reading(
                    Integer.parseInt(words[0].strip()),
                    words[1].strip(),
                    Double.isNaN(percent) ? percent : Math.clamp(percent / 100, 0, 1),
                    bytes(words[3]),
                    bytes(words[4]),
                    words[5].strip()));
        }

        /// `[N/A]` and the like are no numbers: parts of a GPU (MIG) have no utilisation.
        private static double number(String word) {
            try {
                return Double.parseDouble(word.strip());
            } catch (NumberFormatException _) {
                return Double.NaN;
            }
        }

        private static long bytes(String mebibytes) {
            double number = number(mebibytes);
            return Double.isNaN(number) ? 0 : (long) (number * (1 << 20));
        }
    }

    /// The program of this machine.
    public static Optional<NvidiaSmi> local() {
        String named = System.getProperty(PROPERTY);
        return named != null ? Optional.of(new NvidiaSmi(Path.of(named))) : onPath(System.getenv("PATH"));
    }

    static Optional<NvidiaSmi> onPath(@Nullable String path) {
        return path == null
                ? Optional.empty()
                : Stream.of(path.split(File.pathSeparator, -1))
                        .filter(folder -> !folder.isEmpty())
                        .flatMap(NvidiaSmi::in)
                        .map(NvidiaSmi::new)
                        .findFirst();
    }

    private static Stream<Path> in(String folder) {
        try {
            return Stream.of("nvidia-smi", "nvidia-smi.exe")
                    .map(Path.of(folder)::resolve)
                    .filter(Files::isExecutable);
        } catch (InvalidPathException _) {
            return Stream.empty();
        }
    }

    /// All GPUs now; none if the program does not answer.
    public List<Reading> read() {
        try {
            Process process = start(QUERY);
            try {
                if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                    return List.of();
                }
                // A line for each GPU fits into the pipe.
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .flatMap(line -> Reading.of(line).stream())
                        .toList();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException _) {
            return List.of();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /// A process that prints a line for each GPU once in a second, until it is ended or nobody reads.
    Process follow() throws IOException {
        List<String> arguments = new ArrayList<>(QUERY);
        arguments.add("--loop=1");
        return start(arguments);
    }

    private Process start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File(NULL_DEVICE)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static final String NULL_DEVICE =
            System.getProperty("os.name", "").startsWith("Windows") ? "NUL" : "/dev/null";
}

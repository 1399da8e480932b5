package dev.millrace.internal.spill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What lies in a folder, and another process that has spilled there.
final class SpillFolder {
    private SpillFolder() {}

    /// All files and folders below it.
    static List<Path> everything(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !path.equals(folder)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> blocks(Path folder) {
        return everything(folder).stream()
                .filter(path -> path.toString().endsWith(".arrow"))
                .toList();
    }

    /// A process with a spill directory in a folder.
    record Other(Process process, Path directory) {
        static Other in(Path folder) throws IOException {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Holder.class.getName(),
                            folder.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String line = process.inputReader().readLine();
            return new Other(process, Path.of(line));
        }

        /// Ends it as a crash does: no hook runs.
        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }

    /// The other process: makes its directory, says so and waits.
    static final class Holder {
        public static void main(String[] folder) throws IOException {
            SpillDirectory directory = SpillDirectory.in(Path.of(folder[0]));
            Files.writeString(directory.path().resolve("block-1.arrow"), "something");
            System.out.println(directory.path());
            System.in.read();
        }
    }
}

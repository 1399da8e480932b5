package dev.millrace.internal.dashboard;

import dev.millrace.error.MillraceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Ended runs in a folder, a file each: a line with the summary and one with everything, both JSON. Several sessions
/// may share the folder, at once and one after the other: a file appears by a rename, and whoever adds one deletes the
/// oldest. A file that somebody else removed, or that is not ours, is passed over. Only the user can read it: rows that
/// failed are in it. Thread-safe.
final class RunArchive {
    private static final System.Logger LOG = System.getLogger(RunArchive.class.getName());
    private static final Pattern ID = Pattern.compile("[0-9a-z]([0-9a-z-]{0,78}[0-9a-z])?");
    private static final String ENDING = ".json";
    private static final long MAX_BYTES = 256L << 20;
    /// There may be that many more files than runs to keep.
    private static final int ADDED_BETWEEN = 32;

    private final Path folder;
    private final int mostRuns;
    /// The summaries that were read, by id; guarded by this.
    private final Map<String, String> summaries = new HashMap<>();

    private long added;
    private boolean warned;

    RunArchive(Path folder, int mostRuns) {
        this.folder = folder;
        this.mostRuns = mostRuns;
    }

    /// In the folder of the settings.
    static RunArchive in(String folder, int mostRuns) {
        return new RunArchive(Path.of(folder), mostRuns);
    }

    /// Where runs are kept if nothing else is said.
    static String usualFolder() {
        return Path.of(System.getProperty("user.home", "."), ".millrace", "runs")
                .toString();
    }

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /// Keeps a run. What goes wrong is logged once: a full disk must not end a program.
    void add(String id, byte[] summary, byte[] run) {
        if (mostRuns == 0) {
            return;
        }
        try {
            createFolder();
            Path unfinished = Files.createTempFile(folder, "run", ".tmp");
            try {
                try (var out = Files.newOutputStream(unfinished)) {
                    out.write(summary);
                    out.write('\n');
                    out.write(run);
                    out.write('\n');
                }
                Files.move(unfinished, folder.resolve(id + ENDING), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(unfinished);
            }
            synchronized (this) {
                summaries.put(id, new String(summary, StandardCharsets.UTF_8));
            }
            if (isTimeToDelete()) {
                deleteOldest();
            }
        } catch (IOException | RuntimeException e) {
            warn("A run could not be kept in " + folder + ": " + e);
        }
    }

    private void createFolder() throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(folder);
        }
    }

    private synchronized void warn(String sentence) {
        if (!warned) {
            warned = true;
            LOG.log(System.Logger.Level.WARNING, sentence);
        }
    }

    /// At the first run, and then now and then: it looks at every file.
    private synchronized boolean isTimeToDelete() {
        return added++ % ADDED_BETWEEN == 0;
    }

    private void deleteOldest() throws IOException {
        List<String> ids = ids();
        long bytes = 0;
        int kept = 0;
        for (String id : ids) {
            Path file = folder.resolve(id + ENDING);
            bytes += size(file);
            if (++kept > mostRuns || bytes > MAX_BYTES && kept > 1) {
                Files.deleteIfExists(file);
                synchronized (this) {
                    summaries.remove(id);
                }
            }
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException _) {
            return 0; // deleted by another session
        }
    }

    /// The ids of the runs in the folder, the newest first: they begin with the time.
    private List<String> ids() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> name.substring(0, name.length() - ENDING.length()))
                    .filter(RunArchive::isId)
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    /// The summaries as JSON, by id, the newest first.
    List<Map.Entry<String, String>> summaries() {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        try {
            for (String id : ids()) {
                summary(id).ifPresent(line -> all.add(Map.entry(id, line)));
            }
        } catch (IOException e) {
            warn("The kept runs in " + folder + " cannot be listed: " + e);
        }
        return all;
    }

    private synchronized Optional<String> summary(String id) {
        String known = summaries.get(id);
        if (known == null) {
            try (BufferedReader in = Files.newBufferedReader(folder.resolve(id + ENDING))) {
                known = in.readLine();
            } catch (IOException _) {
                return Optional.empty();
            }
            if (known == null || !known.startsWith("{\"id\":\"" + id + "\"") || !known.endsWith("}")) {
                return Optional.empty();
            }
            summaries.put(id, known);
        }
        return Optional.of(known);
    }

    /// All of a run, as JSON; empty if it is not there.
    Optional<byte[]> run(String id) {
        if (!isId(id)) {
            return Optional.empty();
        }
        try (BufferedReader in = Files.newBufferedReader(folder.resolve(id + ENDING))) {
            String summary = in.readLine();
            String run = summary == null ? null : in.readLine();
            return Optional.ofNullable(run).map(text -> text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw MillraceException.data("The kept run " + id + " in " + folder + " cannot be read: " + e + ".");
        }
    }
}

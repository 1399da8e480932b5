package dev.millrace.internal.cluster.start;

import dev.millrace.internal.cluster.worker.WorkerTraining;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Archives of classes and method profiles (JEP 483, 514 and 515) with which workers start sooner and compile less: the
/// one that this process was started with, or one by the hash of the class path in a folder of the user. One that is
/// missing is made by a process that nobody waits for. All of it only saves time, so whatever fails is left out, and
/// Java itself leaves out an archive that does not fit.
public final class WorkerArchive {
    /// Java's option with the archive of a process.
    public static final String OPTION = "-XX:AOTCache=";

    /// The property with an archive that fits workers with the class path of this process, though not the process.
    public static final String PROPERTY = "millrace.archive";

    private static final String ENDING = ".aot";
    /// Each has some 40 MB.
    private static final int MAX_KEPT = 8;
    /// An unfinished archive of this age is of a process that died.
    private static final Duration ABANDONED = Duration.ofMinutes(10);

    /// Java writes an archive when it exits; it gets its name when it is complete.
    private static final String MAKE = """
            nice -n 10 "$0" -XX:AOTCacheOutput="$1" -Xmx512m -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
              -cp "$3" "$4"
            mv -f "$1" "$2"
            rm -f "$1.lock"
            """;

    private final Path folder;
    private final String classPath;
    private final @Nullable Path own;

    /// @param folder of archives that were made here; is created when it is needed
    /// @param own the archive of this process, or null
    WorkerArchive(Path folder, String classPath, @Nullable Path own) {
        this.folder = folder;
        this.classPath = classPath;
        this.own = own;
    }

    /// The archives for workers with the class path of this process.
    public static WorkerArchive ofThisProcess() {
        String given = System.getProperty(PROPERTY);
        Path own = given == null ? null : Path.of(given);
        for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            boolean isOwn = given == null && argument.startsWith(OPTION);
            own = isOwn ? Path.of(argument.substring(OPTION.length())) : own;
        }
        return new WorkerArchive(
                Path.of(System.getProperty("user.home"), ".cache", "millrace", "archives"),
                System.getProperty("java.class.path"),
                own);
    }

    /// The archive, if there is one.
    public @Nullable Path find() {
        try {
            if (own != null && Files.isReadable(own)) {
                return own.toAbsolutePath();
            }
            Path kept = kept();
            if (kept == null || !Files.isReadable(kept) || !isPrivate()) {
                return null;
            }
            // The least recently used ones leave first.
            Files.setLastModifiedTime(kept, FileTime.from(Instant.now()));
            return kept;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /// What a worker is started with: it uses the archive if it fits, and says nothing otherwise.
    public static List<String> flags(@Nullable Path archive) {
        return archive == null ? List.of() : List.of(OPTION + archive, "-Xlog:aot*=off", "-Xlog:cds*=off");
    }

    /// Begins to make the archive, if there is none and Java can make one: of jars only. Returns at once.
    public void makeIfMissing() {
        try {
            Path kept = kept();
            if (own != null || kept == null || Files.exists(kept)) {
                return;
            }
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            removeOld();
            Path unfinished = kept.resolveSibling(kept.getFileName() + ".part");
            if (isBeingMade(unfinished)) {
                return;
            }
            Process _ = new ProcessBuilder(
                            "sh",
                            "-c",
                            MAKE,
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            unfinished.toString(),
                            kept.toString(),
                            classPath,
                            WorkerTraining.class.getName())
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException | RuntimeException e) {
            // Then workers start without one.
        }
    }

    private static boolean isBeingMade(Path unfinished) throws IOException {
        Path mark = unfinished.resolveSibling(unfinished.getFileName() + ".lock");
        if (Files.exists(mark)
                && Files.getLastModifiedTime(mark)
                        .toInstant()
                        .isAfter(Instant.now().minus(ABANDONED))) {
            return true;
        }
        Files.deleteIfExists(mark);
        Files.createFile(mark);
        return false;
    }

    private boolean isPrivate() throws IOException {
        Set<PosixFilePermission> may = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
        return Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS)
                        .equals(Files.getOwner(Path.of(System.getProperty("user.home"))))
                && !may.contains(PosixFilePermission.GROUP_WRITE)
                && !may.contains(PosixFilePermission.OTHERS_WRITE);
    }

    private void removeOld() throws IOException {
        List<Path> oldest;
        try (Stream<Path> files = Files.list(folder)) {
            oldest = files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted(Comparator.comparing(WorkerArchive::used).reversed())
                    .skip(MAX_KEPT - 1)
                    .toList();
        }
        for (Path file : oldest) {
            Files.deleteIfExists(file);
        }
    }

    private static FileTime used(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    /// Where the archive of this class path and this Java is kept; null if Java cannot make one: a folder of classes
    /// may change at any time.
    @Nullable
    Path kept() throws IOException {
        StringBuilder all =
                new StringBuilder(System.getProperty("java.home")).append(' ').append(Runtime.version());
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path file = Path.of(entry);
            if (entry.isEmpty() || !Files.isRegularFile(file)) {
                return null;
            }
            all.append('\n')
                    .append(entry)
                    .append(' ')
                    .append(Files.size(file))
                    .append(' ')
                    .append(Files.getLastModifiedTime(file).toMillis());
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(all.toString().getBytes(StandardCharsets.UTF_8));
            return folder.resolve(HexFormat.of().formatHex(hash, 0, 16) + ENDING);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.millrace.internal.cluster.code;

import dev.millrace.internal.stats.HumanUnits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/// A folder with jars by their content hash, shared by all drivers of a worker and by all workers of a machine. A file
/// appears in it under its final name when it is complete and its hash is right; the least recently used leave when the
/// folder grows beyond its limit. Files that are open may leave too: they stay readable. Thread-safe.
public final class CodeCache {
    private static final String ENDING = ".jar";
    private static final String PARTIAL = ".part";
    /// An unfinished file of this age is of a process that died.
    private static final Duration ABANDONED = Duration.ofDays(1);

    private final Path folder;
    private final long maxBytes;
    private final Map<String, Object> locks = new ConcurrentHashMap<>();
    /// Hashes whose files this process has checked: others may write to the folder, or its disk may be damaged.
    private final Set<String> checked = ConcurrentHashMap.newKeySet();

    /// @param folder is created when it is needed
    public CodeCache(Path folder, long maxBytes) {
        this.folder = folder;
        this.maxBytes = maxBytes;
    }

    /// An open jar with an entry's content, which the caller closes. It is fetched if it is not there.
    ///
    /// @param entry of the index of the driver
    /// @throws IOException a sentence, if it cannot be fetched or stored
    JarFile open(CodeIndex.Entry entry, int number, CodeSupply supply) throws IOException {
        CodeContent content = supply.content(number);
        synchronized (locks.computeIfAbsent(content.hash(), _ -> new Object())) {
            Path file = folder.resolve(content.hash() + ENDING);
            if (!isComplete(file, content.hash(), entry.folder())) {
                fetch(file, entry, number, content, supply);
            }
            try {
                return open(file);
            } catch (NoSuchFileException e) {
                // Another process needed the room just now.
                fetch(file, entry, number, content, supply);
                return open(file);
            }
        }
    }

    private static JarFile open(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        return new JarFile(file.toFile(), false, ZipFile.OPEN_READ, JarFile.runtimeVersion());
    }

    private boolean isComplete(Path file, String hash, boolean ofFolder) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        if (checked.contains(hash)) {
            return true;
        }
        try {
            if (hash.equals(hashOf(file, ofFolder))) {
                checked.add(hash);
                return true;
            }
        } catch (IOException e) {
            // Damaged so much that it cannot be read: as below.
        }
        Files.deleteIfExists(file);
        return false;
    }

    private static String hashOf(Path file, boolean ofFolder) throws IOException {
        return ofFolder ? CodeHash.ofArchive(file) : CodeHash.ofFile(file);
    }

    private void fetch(Path file, CodeIndex.Entry entry, int number, CodeContent content, CodeSupply supply)
            throws IOException {
        Path partial;
        try {
            Files.createDirectories(folder);
            partial = Files.createTempFile(folder, content.hash(), PARTIAL);
        } catch (IOException e) {
            throw new IOException(
                    "the folder for code, " + folder + ", cannot be written to (" + e
                            + "); start the worker with another one (--code-cache FOLDER)",
                    e);
        }
        try {
            try (OutputStream out = Files.newOutputStream(partial)) {
                long at = 0;
                while (at < content.bytes()) {
                    byte[] part = supply.part(number, at);
                    if (part.length == 0) {
                        break;
                    }
                    out.write(part);
                    at += part.length;
                }
            }
            if (!content.hash().equals(hashOf(partial, entry.folder()))) {
                throw new IOException("'" + entry.name() + "' of the class path was changed while the program ran;"
                        + " start the program again");
            }
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            checked.add(content.hash());
        } finally {
            Files.deleteIfExists(partial);
        }
        makeRoom(file);
    }

    private record Stored(Path path, long bytes, Instant used) {}

    /// @param kept stays, whatever its size
    private void makeRoom(Path kept) throws IOException {
        List<Stored> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                try {
                    Stored stored = new Stored(
                            file,
                            Files.size(file),
                            Files.getLastModifiedTime(file).toInstant());
                    String name = file.getFileName().toString();
                    if (name.endsWith(ENDING)) {
                        all.add(stored);
                    } else if (name.endsWith(PARTIAL)
                            && stored.used.isBefore(Instant.now().minus(ABANDONED))) {
                        Files.deleteIfExists(file);
                    }
                } catch (NoSuchFileException e) {
                    // Another process was faster.
                }
            }
        }
        long total = all.stream().mapToLong(Stored::bytes).sum();
        all.sort(Comparator.comparing(Stored::used));
        for (Stored oldest : all) {
            if (total <= maxBytes) {
                return;
            }
            if (!oldest.path.equals(kept)) {
                Files.deleteIfExists(oldest.path);
                total -= oldest.bytes;
            }
        }
    }

    @Override
    public String toString() {
        return folder + ", up to " + HumanUnits.bytes(maxBytes);
    }
}

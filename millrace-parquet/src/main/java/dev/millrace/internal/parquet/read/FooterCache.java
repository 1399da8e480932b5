package dev.millrace.internal.parquet.read;

import dev.millrace.internal.storage.LocalStorage;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A cache of recently read footers of local files. An entry is valid only while its file has the same size,
/// modification time and identity as before it was read. Thread-safe.
final class FooterCache {
    /// A file that was modified more recently than this may be modified again without a change of its modification
    /// time.
    private static final long SETTLED_MILLIS = 5_000;

    private final int mostChunks;
    /// In LRU order, the most recently used last.
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    private long chunks;

    /// @param mostChunks the maximum total number of column chunks in the footers, at about 300 bytes each
    FooterCache(int mostChunks) {
        this.mostChunks = mostChunks;
    }

    private record Version(long bytes, FileTime changed, Object identity) {}

    private record Entry(Version version, FileFooter footer) {
        private int chunks() {
            return footer.metadata().rowGroups().size() * footer.columns().leaves() + 1;
        }
    }

    /// The file's footer, read by `reading` if it is not cached.
    FileFooter get(StoredFile file, Supplier<FileFooter> reading) {
        long now = System.currentTimeMillis();
        Version version = version(file.path());
        if (version == null) {
            return reading.get();
        }
        FileFooter known = find(file.path(), version);
        if (known != null) {
            return known;
        }
        FileFooter read = reading.get();
        if (version.changed().toMillis() < now - SETTLED_MILLIS) {
            put(file.path(), new Entry(version, read));
        }
        return read;
    }

    /// Null if the storage does not provide it immediately.
    private static @Nullable Version version(String path) {
        if (!(StorageRegistry.of(path) instanceof LocalStorage)) {
            return null;
        }
        try {
            BasicFileAttributes is = Files.readAttributes(LocalStorage.path(path), BasicFileAttributes.class);
            return is.fileKey() == null ? null : new Version(is.size(), is.lastModifiedTime(), is.fileKey());
        } catch (IOException _) {
            // The error is reported when the file is read.
            return null;
        }
    }

    private synchronized @Nullable FileFooter find(String path, Version version) {
        Entry entry = entries.get(path);
        return entry != null && entry.version().equals(version) ? entry.footer() : null;
    }

    private synchronized void put(String path, Entry entry) {
        Entry before = entries.put(path, entry);
        chunks += entry.chunks() - (before == null ? 0 : before.chunks());
        Iterator<Entry> oldest = entries.values().iterator();
        while (chunks > mostChunks && oldest.hasNext()) {
            chunks -= oldest.next().chunks();
            oldest.remove();
        }
    }
}

package dev.millrace.internal.compress;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The compression of a file.
public enum FileCompression {
    NONE,
    GZIP(".gz", ".gzip"),
    ZSTD(".zst", ".zstd"),
    LZ4(".lz4"),
    BZIP2(".bz2"),
    XZ(".xz");

    private final List<String> endings;

    FileCompression(String... endings) {
        this.endings = List.of(endings);
    }

    /// The compression by the extension of a file name, not case-sensitive.
    public static FileCompression of(String fileName) {
        for (FileCompression kind : values()) {
            if (kind.endingOf(fileName) != null) {
                return kind;
            }
        }
        return NONE;
    }

    /// The compression by its name in options: "gzip".
    ///
    /// @throws MillraceException culprit USER, listing the known names
    public static FileCompression named(String name) {
        for (FileCompression kind : values()) {
            if (kind.label().equals(name)) {
                return kind;
            }
        }
        throw MillraceException.user("There is no compression '" + name
                + "'. Use \"gzip\", \"zstd\", \"lz4\", \"bzip2\", \"xz\" or \"none\".");
    }

    /// The name without the extension of a compression: "a.json" for "a.json.gz".
    public static String stripEnding(String fileName) {
        String ending = of(fileName).endingOf(fileName);
        return ending == null ? fileName : fileName.substring(0, fileName.length() - ending.length());
    }

    /// The name in options and errors.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The file extensions; the first is the usual one.
    public List<String> endings() {
        return endings;
    }

    /// The decompressed bytes of `raw`, decompressed as they are read. Files with several concatenated members or
    /// frames are read to the end. Buffers and windows are allocated from `allocator`; the memory of bzip2 (4 MB) and
    /// xz (up to [XzLibrary#MAX_KIB]) is on the heap.
    ///
    /// Truncated and corrupt input is an error of culprit DATA that names file and decompressed position; exceptions of
    /// `raw` are not wrapped.
    ///
    /// @param path for errors
    /// @param raw closed with the feed, and if this throws
    public static ByteFeed open(FileCompression kind, String path, ByteFeed raw, Allocator allocator)
            throws IOException {
        if (kind == NONE) {
            return raw;
        }
        try (ResourceScope scope = new ResourceScope()) {
            CompressedInput in = scope.add(new CompressedInput(kind, path, raw, allocator));
            return scope.keep(
                    switch (kind) {
                        case NONE -> raw;
                        case GZIP -> new GzipFeed(in);
                        case ZSTD -> ZstdFeed.open(in);
                        case LZ4 -> new Lz4Feed(in);
                        case BZIP2 -> new Bzip2Feed(in);
                        case XZ -> new StreamFeed(in, XzLibrary.opener(path));
                    });
        }
    }

    private @Nullable String endingOf(String fileName) {
        for (String ending : endings) {
            int from = fileName.length() - ending.length();
            if (from > 0 && fileName.regionMatches(true, from, ending, 0, ending.length())) {
                return ending;
            }
        }
        return null;
    }
}

package dev.millrace.internal.compress;

import dev.millrace.error.MillraceException;
import org.tukaani.xz.XZInputStream;

/// The xz decompressor of an optional artifact.
final class XzLibrary {
    /// The maximum heap memory for decompression: the largest preset needs 65 MiB.
    static final int MAX_KIB = 192 << 10;

    private XzLibrary() {}

    static StreamFeed.Opener opener(String path) {
        try {
            return Library.opener();
        } catch (NoClassDefFoundError _) {
            throw missing(path);
        }
    }

    static MillraceException missing(String path) {
        return MillraceException.user(
                "'" + path + "' is compressed with xz, and the library that reads it is not on the"
                        + " class path. Add the artifact org.tukaani:xz.");
    }

    /// Loaded only when xz is used; loading fails if the artifact is missing.
    private static final class Library {
        private static final Class<?> STREAM = XZInputStream.class;

        static StreamFeed.Opener opener() {
            if (STREAM == null) {
                throw new NoClassDefFoundError();
            }
            return compressed -> new XZInputStream(compressed, MAX_KIB);
        }
    }
}

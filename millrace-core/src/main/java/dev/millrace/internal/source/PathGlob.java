package dev.millrace.internal.source;

import dev.millrace.internal.storage.StorageRegistry;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import org.jspecify.annotations.Nullable;

/// A path with wildcards, as the JDK's globs: `*`, `?`, `[ab]`, `{a,b}`, and `**` across folders.
///
/// @param text as the user wrote it
/// @param base the folder where the search begins: all before the first part with a wildcard
record PathGlob(String text, String base, PathMatcher matcher) {
    static boolean isGlob(String text) {
        return firstWildcard(text) < text.length();
    }

    static PathGlob of(String text) {
        String before = text.substring(0, firstWildcard(text));
        int slash = before.lastIndexOf('/');
        String base = slash < 0 ? "." : slash == 0 ? "/" : before.substring(0, slash);
        String pattern = slash < 0 ? "./" + text : text;
        return new PathGlob(text, base, FileSystems.getDefault().getPathMatcher("glob:" + plain(pattern)));
    }

    boolean matches(String path) {
        return matcher.matches(Path.of(plain(path)));
    }

    /// Schemes and the like are no folders.
    static String plain(String path) {
        return StorageRegistry.scheme(path).isEmpty() ? path : path.substring(path.indexOf("://") + 3);
    }

    private static int firstWildcard(String text) {
        for (int i = 0; i < text.length(); i++) {
            if ("*?[{".indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    /// The folder of a path, or null at the top.
    static @Nullable String parent(String path) {
        if (StorageRegistry.scheme(path).isEmpty()) {
            Path parent = Path.of(path).toAbsolutePath().normalize().getParent();
            return parent == null ? null : parent.toString();
        }
        int start = path.indexOf("://") + 3;
        String plain = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        int slash = plain.lastIndexOf('/');
        return slash < start ? null : plain.substring(0, slash);
    }
}

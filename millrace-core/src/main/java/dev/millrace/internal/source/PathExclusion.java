package dev.millrace.internal.source;

import dev.millrace.error.MillraceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.regex.PatternSyntaxException;

/// A path, name or glob of what a read leaves out: a file or a folder with all in it.
///
/// @param ofNames held against each part of a path, not against the beginning of it
record PathExclusion(PathMatcher matcher, boolean ofNames) {
    static PathExclusion of(String text) {
        String plain = PathGlob.plain(text);
        while (plain.length() > 1 && plain.endsWith("/")) {
            plain = plain.substring(0, plain.length() - 1);
        }
        try {
            return new PathExclusion(FileSystems.getDefault().getPathMatcher("glob:" + plain), !text.contains("/"));
        } catch (PatternSyntaxException e) {
            throw MillraceException.user("exclude: '" + text + "' is no glob: " + e.getDescription() + ".");
        }
    }

    boolean covers(String file) {
        Path path = Path.of(PathGlob.plain(file));
        if (ofNames) {
            for (Path part : path) {
                if (matcher.matches(part)) {
                    return true;
                }
            }
            return false;
        }
        for (Path above = path; above != null; above = above.getParent()) {
            if (matcher.matches(above)) {
                return true;
            }
        }
        return false;
    }
}

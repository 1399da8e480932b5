package dev.millrace.internal.source;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The files behind paths, folders and globs, each in the order of their names (folder by folder). Folders are searched
/// to the bottom for
/// files with the format's endings; names that begin with `.` or `_` are left out.
public final class PathListing {
    private static final int SHOWN = 8;

    private final String verb;
    private final List<String> endings;

    /// @param verb named in errors
    /// @param endings of the format's files, e.g. ".arrow"; they decide only in folders
    public PathListing(String verb, List<String> endings) {
        this.verb = verb;
        this.endings = endings;
    }

    /// All files.
    ///
    /// @throws MillraceException culprit USER: for a path that is not there and for a folder or glob without matches,
    ///     saying what is there
    public List<Path> list(List<String> paths) {
        List<Path> files = new ArrayList<>();
        iterate(paths).forEachRemaining(files::add);
        return List.copyOf(files);
    }

    /// The same, lazily: what can be said of the paths is said at once, but folders are read as the files are asked
    /// for.
    public Iterator<Path> iterate(List<String> paths) {
        if (paths.isEmpty()) {
            throw MillraceException.user(verb + " needs at least one path.");
        }
        List<Iterator<Path>> all = new ArrayList<>();
        for (String path : paths) {
            all.add(expand(path));
        }
        return all.size() == 1 ? all.getFirst() : chain(all);
    }

    private static Iterator<Path> chain(List<Iterator<Path>> all) {
        return new Iterator<>() {
            private int at;

            @Override
            public boolean hasNext() {
                while (at < all.size() && !all.get(at).hasNext()) {
                    at++;
                }
                return at < all.size();
            }

            @Override
            public Path next() {
                return hasNext()
                        ? all.get(at).next()
                        : Collections.<Path>emptyIterator().next();
            }
        };
    }

    private Iterator<Path> expand(String text) {
        if (isGlob(text)) {
            return glob(text);
        }
        Path path = Path.of(text);
        if (Files.isRegularFile(path)) {
            return List.of(path).iterator();
        }
        if (!Files.isDirectory(path)) {
            throw missing(path);
        }
        Iterator<Path> found = search(
                path,
                file -> endings.stream().anyMatch(file.getFileName().toString().toLowerCase(Locale.ROOT)::endsWith));
        if (!found.hasNext()) {
            throw MillraceException.user(verb + ": the folder '" + path + "' has no files that end in "
                    + String.join(", ", endings) + ". " + contents(path));
        }
        return found;
    }

    private Iterator<Path> glob(String text) {
        // The folders before the first wildcard are where the search begins.
        String before = text.substring(0, firstWildcard(text));
        int slash = before.lastIndexOf('/');
        Path base = Path.of(slash < 0 ? "." : slash == 0 ? "/" : before.substring(0, slash));
        if (!Files.isDirectory(base)) {
            throw missing(base);
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + (slash < 0 ? "./" + text : text));
        Iterator<Path> found = search(base, matcher::matches);
        if (!found.hasNext()) {
            throw MillraceException.user(verb + ": no file matches '" + text + "'. " + contents(base));
        }
        return found;
    }

    private static boolean isGlob(String text) {
        return firstWildcard(text) < text.length() && !Files.exists(Path.of(text));
    }

    private static int firstWildcard(String text) {
        for (int i = 0; i < text.length(); i++) {
            if ("*?[{".indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    private Iterator<Path> search(Path base, Predicate<Path> wanted) {
        return new FolderWalk(
                base,
                wanted,
                (folder, e) -> new MillraceException(
                        Culprit.RESOURCES, verb + ": '" + folder + "' could not be listed: " + e.getMessage(), e));
    }

    private MillraceException missing(Path path) {
        Path parent = path.toAbsolutePath().normalize().getParent();
        while (parent != null && !Files.isDirectory(parent)) {
            parent = parent.getParent();
        }
        return MillraceException.user(
                verb + ": there is no '" + path + "'. " + (parent == null ? "" : contents(parent)));
    }

    /// "In 'data' there are a.csv, b.csv and 3 more."
    private static String contents(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            List<String> names = entries.map(entry -> entry.getFileName().toString())
                    .sorted()
                    .toList();
            if (names.isEmpty()) {
                return "'" + folder + "' is empty.";
            }
            String shown = String.join(", ", names.subList(0, Math.min(SHOWN, names.size())));
            return "In '" + folder + "' there " + (names.size() == 1 ? "is " : "are ") + shown
                    + (names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more." : ".");
        } catch (IOException e) {
            return "'" + folder + "' cannot be listed.";
        }
    }
}

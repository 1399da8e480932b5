package dev.millrace.internal.source;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.compress.FileCompression;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.storage.Storage;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The files behind paths, folders and globs, each in the order of their names (folder by folder). Folders are searched
/// to the bottom for files with the format's endings; names that begin with `.` or `_` are left out.
final class PathListing {
    private static final int SHOWN = 8;
    private static final int COUNTED = 10_000;

    private final String verb;
    private final List<String> endings;
    private final boolean packed;
    private final boolean ignoreMissing;

    /// @param verb named in errors
    /// @param endings of the format's files, e.g. ".arrow"; they decide only in folders; empty: all files
    /// @param packed an ending of compression may follow
    /// @param ignoreMissing paths that are not there count as empty, unless all are
    public PathListing(String verb, List<String> endings, boolean packed, boolean ignoreMissing) {
        this.packed = packed;
        this.verb = verb;
        this.endings = endings;
        this.ignoreMissing = ignoreMissing;
    }

    /// All files.
    ///
    /// @throws MillraceException culprit USER: for a path that is not there and for a folder or glob without matches,
    ///     saying what is there
    public List<StoredFile> list(List<String> paths) {
        List<StoredFile> files = new ArrayList<>();
        iterate(paths).forEachRemaining(files::add);
        return List.copyOf(files);
    }

    /// The same, lazily: what can be said of the paths is said at once, but folders are read as the files are asked
    /// for.
    public Iterator<StoredFile> iterate(List<String> paths) {
        if (paths.isEmpty()) {
            throw MillraceException.user(verb + " needs at least one path.");
        }
        List<Iterator<StoredFile>> all = new ArrayList<>();
        MillraceException missing = null;
        for (String path : paths) {
            try {
                all.add(expand(path));
            } catch (Missing e) {
                if (!ignoreMissing) {
                    throw e.error;
                }
                missing = e.error;
            }
        }
        if (all.isEmpty()) {
            throw MillraceException.user("None of the paths is there. "
                    + Objects.requireNonNull(missing, "every path was missing").getMessage());
        }
        return chain(all);
    }

    private Iterator<StoredFile> chain(List<Iterator<StoredFile>> all) {
        return new Iterator<>() {
            private int at;

            @Override
            public boolean hasNext() {
                try {
                    while (at < all.size() && !all.get(at).hasNext()) {
                        at++;
                    }
                } catch (UncheckedIOException e) {
                    throw new MillraceException(Culprit.RESOURCES, verb + ": " + e.getMessage(), e);
                }
                return at < all.size();
            }

            @Override
            public StoredFile next() {
                return hasNext()
                        ? all.get(at).next()
                        : Collections.<StoredFile>emptyIterator().next();
            }
        };
    }

    private Iterator<StoredFile> expand(String text) throws Missing {
        Storage storage = StorageRegistry.of(text);
        try {
            var file = storage.find(text);
            if (file.isPresent()) {
                return List.of(file.get()).iterator();
            }
            if (storage.isFolder(text)) {
                return folder(storage, text);
            }
            if (PathGlob.isGlob(text)) {
                return glob(storage, PathGlob.of(text));
            }
            throw new Missing(missing(storage, text));
        } catch (IOException e) {
            throw failed(text, e);
        } catch (UncheckedIOException e) {
            throw failed(text, Objects.requireNonNull(e.getCause(), "an UncheckedIOException has a cause"));
        }
    }

    private Iterator<StoredFile> folder(Storage storage, String text) throws IOException {
        Iterator<StoredFile> found = matching(storage.walk(text), this::hasEnding);
        if (!found.hasNext()) {
            throw MillraceException.user(verb + ": the folder '" + text + "' has no files"
                    + (endings.isEmpty() ? ". " : " that end in " + String.join(", ", endings) + ". ")
                    + contents(storage, text));
        }
        return found;
    }

    private boolean hasEnding(StoredFile file) {
        return endings.isEmpty() || hasEnding(file, endings, packed);
    }

    static boolean hasEnding(StoredFile file, List<String> endings, boolean packed) {
        String full = file.name().toLowerCase(Locale.ROOT);
        String name = packed ? FileCompression.stripEnding(full) : full;
        return endings.stream().anyMatch(ending -> name.endsWith(ending) || full.endsWith(ending));
    }

    private Iterator<StoredFile> glob(Storage storage, PathGlob glob) throws IOException, Missing {
        if (!storage.isFolder(glob.base())) {
            throw new Missing(missing(storage, glob.base()));
        }
        Iterator<StoredFile> found = matching(storage.walk(glob.base()), file -> glob.matches(file.path()));
        if (!found.hasNext()) {
            throw new Missing(MillraceException.user(
                    verb + ": no file matches '" + glob.text() + "'. " + contents(storage, glob.base())));
        }
        return found;
    }

    static Iterator<StoredFile> matching(Iterator<StoredFile> all, Predicate<StoredFile> wanted) {
        return new Iterator<>() {
            private @Nullable StoredFile next;

            @Override
            public boolean hasNext() {
                while (next == null && all.hasNext()) {
                    StoredFile file = all.next();
                    next = wanted.test(file) ? file : null;
                }
                return next != null;
            }

            @Override
            public StoredFile next() {
                if (!hasNext()) {
                    return Collections.<StoredFile>emptyIterator().next();
                }
                StoredFile found = Objects.requireNonNull(next, "hasNext has found one");
                next = null;
                return found;
            }
        };
    }

    private MillraceException failed(String path, IOException e) {
        return new MillraceException(Culprit.RESOURCES, verb + ": '" + path + "' could not be listed: " + e, e);
    }

    private MillraceException missing(Storage storage, String path) throws IOException {
        String parent = PathGlob.parent(path);
        while (parent != null && !storage.isFolder(parent)) {
            parent = PathGlob.parent(parent);
        }
        return MillraceException.user(
                verb + ": there is no '" + path + "'. " + (parent == null ? "" : contents(storage, parent)));
    }

    /// "In 'data' there are a.csv, b.csv and 3 more."
    private static String contents(Storage storage, String folder) {
        try {
            List<String> names = storage.names(folder, COUNTED);
            if (names.isEmpty()) {
                return "'" + folder + "' is empty.";
            }
            String shown = String.join(", ", names.subList(0, Math.min(SHOWN, names.size())));
            String more = names.size() == COUNTED ? "many" : Integer.toString(names.size() - SHOWN);
            return "In '" + folder + "' there " + (names.size() == 1 ? "is " : "are ") + shown
                    + (names.size() > SHOWN ? " and " + more + " more." : ".");
        } catch (IOException e) {
            return "'" + folder + "' cannot be listed.";
        }
    }

    /// A path that is not there: an error unless such are to be ignored.
    private static final class Missing extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient MillraceException error;

        Missing(MillraceException error) {
            super(error);
            this.error = error;
        }
    }
}

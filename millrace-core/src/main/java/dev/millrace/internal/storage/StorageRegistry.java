package dev.millrace.internal.storage;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.Storage;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/// The storages on the class path, by the scheme of a path. A path without a scheme lies on this machine.
public final class StorageRegistry {
    /// Which artifact brings a scheme that is known but not there.
    private static final Map<String, String> ARTIFACTS = Map.of("s3", "dev.millrace:millrace-s3");

    private static final LocalStorage LOCAL = new LocalStorage();
    private static final HttpStorage HTTP = new HttpStorage();
    private static final HubStorage HUB = new HubStorage(HTTP);
    private static final Map<String, Storage> OTHERS = new ConcurrentHashMap<>();

    private StorageRegistry() {}

    /// The scheme in lower case; empty for a path of this machine.
    public static Optional<String> scheme(String path) {
        int end = path.indexOf("://");
        if (end < 2) {
            return Optional.empty();
        }
        for (int i = 0; i < end; i++) {
            char c = path.charAt(i);
            if (!Character.isLetterOrDigit(c) && c != '+' && c != '-' && c != '.') {
                return Optional.empty();
            }
        }
        return Optional.of(path.substring(0, end).toLowerCase(Locale.ROOT));
    }

    /// @throws MillraceException culprit USER, naming the artifact to add, for a scheme that nothing here serves
    public static Storage of(String path) {
        Optional<String> scheme = scheme(path);
        if (scheme.isEmpty() || scheme.get().equals("file")) {
            return LOCAL;
        }
        if (HTTP.schemes().contains(scheme.get())) {
            return HTTP;
        }
        if (HUB.schemes().contains(scheme.get())) {
            return HUB;
        }
        return OTHERS.computeIfAbsent(scheme.get(), name -> load(name, path));
    }

    private static Storage load(String scheme, String path) {
        for (Storage storage : ServiceLoader.load(Storage.class)) {
            if (storage.schemes().contains(scheme)) {
                return storage;
            }
        }
        throw missing(scheme, path);
    }

    /// What to say of a path whose scheme nothing on the class path serves.
    public static MillraceException missing(String scheme, String path) {
        String artifact = ARTIFACTS.get(scheme);
        return MillraceException.user(
                artifact == null
                        ? "'" + path + "': there is no storage for '" + scheme
                                + "://'. Paths of this machine need no scheme."
                        : "'" + path + "' needs the artifact " + artifact + " on the class path. Add it.");
    }

    public static RandomFile open(StoredFile file, Allocator allocator) {
        try {
            return of(file.path()).open(file, allocator);
        } catch (IOException e) {
            throw unreadable(file.path(), e);
        }
    }

    public static MillraceException unreadable(String path, IOException e) {
        return new MillraceException(Culprit.RESOURCES, "'" + path + "' could not be read: " + e, e);
    }
}

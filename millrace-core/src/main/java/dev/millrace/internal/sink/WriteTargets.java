package dev.millrace.internal.sink;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.storage.LocalStorage;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.sink.Target;
import dev.millrace.sink.TargetProvider;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// Folders to write to, by the scheme of their paths.
public final class WriteTargets {
    private WriteTargets() {}

    /// The folder's canonical name: absolute if it is local.
    public static String normalize(String folder) {
        return isLocal(folder)
                ? LocalStorage.path(folder).toAbsolutePath().normalize().toString()
                : folder.endsWith("/") ? folder.substring(0, folder.length() - 1) : folder;
    }

    private static boolean isLocal(String folder) {
        Optional<String> scheme = StorageRegistry.scheme(folder);
        return scheme.isEmpty() || scheme.get().equals("file");
    }

    /// @param folder normalised
    /// @throws dev.millrace.error.MillraceException culprit USER, naming the artifact to add, for an unsupported scheme
    public static Target open(String folder, List<String> endings) {
        if (isLocal(folder)) {
            return new LocalTarget(LocalStorage.path(folder), endings);
        }
        String scheme = StorageRegistry.scheme(folder).orElseThrow();
        for (TargetProvider provider : ServiceLoader.load(TargetProvider.class)) {
            if (provider.schemes().contains(scheme)) {
                return provider.open(folder, endings);
            }
        }
        if (scheme.equals("http") || scheme.equals("https")) {
            throw MillraceException.user("'" + folder + "' cannot be written to: web servers are for reading only.");
        }
        throw StorageRegistry.missing(scheme, folder);
    }
}

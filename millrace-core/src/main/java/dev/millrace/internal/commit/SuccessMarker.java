package dev.millrace.internal.commit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The empty file `_SUCCESS`, as Hadoop and Spark write it: it exists while a folder has everything that was last
/// written to it, and is missing while a commit is in progress or was interrupted. For readers that do not know
/// journals.
public final class SuccessMarker {
    public static final String NAME = "_SUCCESS";

    private SuccessMarker() {}

    static boolean isSet(Path folder) {
        return Files.exists(folder.resolve(NAME));
    }

    static void set(Path folder) throws IOException {
        try {
            Files.createFile(folder.resolve(NAME));
        } catch (FileAlreadyExistsException _) {
            return;
        }
        FolderTrees.force(folder);
    }

    /// Does nothing if it does not exist.
    public static void remove(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(NAME));
    }
}

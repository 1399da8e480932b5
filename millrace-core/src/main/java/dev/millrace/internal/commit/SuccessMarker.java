package dev.millrace.internal.commit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The empty file `_SUCCESS`, as Hadoop and Spark leave it: there while a folder has all that was last written to it,
/// and not there while a commit is under way or was interrupted. For readers that know nothing of journals.
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

    /// Nothing happens if it is not there.
    public static void remove(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(NAME));
    }
}

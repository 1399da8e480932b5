package dev.millrace.internal.commit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/// Identifies the last commit of a folder: its [SuccessMarker] is a different file after each, and missing during one.
///
/// @param key null if there is no marker, or the file system has no keys
public record CommitStamp(@Nullable Object key, @Nullable FileTime time) {
    private static final CommitStamp NONE = new CommitStamp(null, null);

    public static CommitStamp of(Path folder) {
        Path file = folder.resolve(SuccessMarker.NAME);
        if (!Files.exists(file)) {
            // Most folders have none, and an exception costs more than a check.
            return NONE;
        }
        try {
            BasicFileAttributes marker = Files.readAttributes(file, BasicFileAttributes.class);
            return new CommitStamp(marker.fileKey(), marker.lastModifiedTime());
        } catch (IOException _) {
            return NONE;
        }
    }

    /// True if a commit was made to the folder since, or is in progress.
    public boolean isOver(Path folder) {
        try {
            Path temporary = TemporaryFolder.of(folder);
            return !of(folder).equals(this)
                    || Files.isDirectory(temporary)
                            && !CommitJournal.in(temporary).isEmpty();
        } catch (IOException _) {
            return true;
        }
    }
}

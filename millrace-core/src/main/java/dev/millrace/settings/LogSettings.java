package dev.millrace.settings;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Whether a session writes down what it does: its settings, and of each run the plan, decisions (what was held back
/// and why, actors that were added or removed, hints), errors and the final statistics.
///
/// A log is for its owner: its file can be read by nobody else, and passwords in addresses are hidden.
///
/// @param folder of the files; null: `.millrace/logs` in the user's home
/// @param keptFiles how many files of sessions are kept there; the oldest are deleted
public record LogSettings(Mode mode, @Nullable String folder, int keptFiles) implements Serializable {
    /// Where it goes.
    public enum Mode {
        /// Nowhere.
        OFF,
        /// To a file of its own, as text.
        TEXT,
        /// To a file of its own, one JSON object per line.
        JSON,
        /// To Java's [System.Logger] `dev.millrace.session`, and so to the logging of the program: errors as warnings,
        /// plans and statistics as debug messages.
        LOGGER
    }

    public static final LogSettings OFF = new LogSettings(Mode.OFF, null, 100);
    public static final LogSettings TEXT = new LogSettings(Mode.TEXT, null, 100);
    public static final LogSettings JSON = new LogSettings(Mode.JSON, null, 100);
    public static final LogSettings LOGGER = new LogSettings(Mode.LOGGER, null, 100);

    public LogSettings {
        if (keptFiles < 1) {
            throw MillraceException.user("Of logs 1 file or more is kept, not " + keptFiles + ".");
        }
    }

    /// Whether anything is written.
    public boolean on() {
        return mode != Mode.OFF;
    }

    /// Files in another folder, and how many of them are kept.
    public LogSettings withFolder(String path, int files) {
        return new LogSettings(mode, path, files);
    }
}

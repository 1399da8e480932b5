package dev.millrace.settings;

import java.io.Serializable;
import java.time.Duration;

/// How progress is shown on standard error while a dataset runs.
///
/// @param after nothing is shown for runs shorter than this
/// @param interval between plain lines; bars are redrawn ten times a second at most
public record ProgressSettings(Mode mode, Duration after, Duration interval) implements DatasetSetting, Serializable {
    public static final ProgressSettings DEFAULT =
            new ProgressSettings(Mode.AUTO, Duration.ofSeconds(1), Duration.ofSeconds(5));
    public static final ProgressSettings OFF = new ProgressSettings(Mode.OFF, Duration.ZERO, Duration.ofSeconds(5));

    /// AUTO: bars on a terminal, plain lines elsewhere.
    public enum Mode {
        AUTO,
        BARS,
        LINES,
        OFF
    }
}

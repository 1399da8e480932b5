package dev.millrace.cli;

import java.util.Optional;

/// The version of this command.
final class Release {
    /// Where classes are not in a jar: in tests.
    private static final String DEVELOPED = "0.1.0";

    private Release() {}

    /// Of the artifacts that belong to it.
    static String number() {
        return inManifest().orElse(DEVELOPED);
    }

    /// As `--version` prints it, with that of the running Java.
    static String text() {
        return "millrace " + inManifest().orElse("development") + " (Java "
                + Runtime.version().feature() + ")";
    }

    private static Optional<String> inManifest() {
        return Optional.ofNullable(Release.class.getPackage().getImplementationVersion());
    }
}

package dev.millrace.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/// The version from the manifest of the jar, and the version of the running Java.
final class Version implements IVersionProvider {
    /// Where classes are not in a jar: in tests.
    private static final String DEVELOPED = "0.1.0";

    /// The release whose artifacts belong to this command.
    static String number() {
        return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse(DEVELOPED);
    }

    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("development");
        return new String[] {
            "millrace " + version + " (Java " + Runtime.version().feature() + ")"
        };
    }
}

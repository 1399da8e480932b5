package dev.millrace.internal.cluster.code;

import dev.millrace.error.MillraceException;
import dev.millrace.runtime.Runtime;
import java.util.Optional;

/// The version of Millrace in a process. Driver and workers must have the same: they exchange objects of its classes.
public final class MillraceVersion {
    private MillraceVersion() {}

    /// From the manifest of the jar with the core; "development" where its classes are in a folder.
    public static String ofThisProcess() {
        return Optional.ofNullable(Runtime.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    /// @throws MillraceException culprit USER, if the driver has another version than this worker
    static void requireSame(String ofDriver, String worker) {
        requireSame(ofDriver, ofThisProcess(), worker);
    }

    static void requireSame(String ofDriver, String here, String worker) {
        // A build that is being worked on has no version: jars and folders of it may meet.
        if (!ofDriver.equals(here) && !isDevelopment(ofDriver) && !isDevelopment(here)) {
            throw MillraceException.user("This program has Millrace " + ofDriver + ", and " + worker + " has " + here
                    + ". Start the workers with the version of the program, or build the program with theirs.");
        }
    }

    private static boolean isDevelopment(String version) {
        return version.equals("development");
    }
}

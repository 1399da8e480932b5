package dev.millrace.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// The open files that the system allows a process, for tests whose other programs need more than ours does.
public final class OpenFiles {
    private OpenFiles() {}

    /// Skips a test where a process may open fewer files than it needs.
    public static void assume(int files, String why) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            assumeTrue(
                    system.getMaxFileDescriptorCount() >= files,
                    () -> "needs " + files + " open files, " + system.getMaxFileDescriptorCount() + " are allowed: "
                            + why);
        }
    }
}

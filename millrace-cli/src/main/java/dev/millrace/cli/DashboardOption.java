package dev.millrace.cli;

import dev.millrace.Session;
import dev.millrace.settings.DashboardSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option of every command that opens sessions.
final class DashboardOption {
    @Option(
            names = "--dashboard",
            description = "show what runs on a page of this machine; its address is printed on standard error")
    private boolean wanted;

    /// The flag for Java that does the same for another process; null if it is not wanted.
    @Nullable
    String flag() {
        return wanted ? "-D" + Session.DASHBOARD + "=true" : null;
    }

    /// The settings for a session of this process.
    DashboardSettings settings() {
        return wanted ? DashboardSettings.ON : DashboardSettings.OFF;
    }
}

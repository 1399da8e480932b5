package dev.millrace.cli;

import dev.millrace.Session;
import dev.millrace.settings.DashboardSettings;
import dev.millrace.settings.LogSettings;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// The options of every command that opens sessions for work that lasts.
final class SessionOptions {
    @Option(
            names = "--dashboard",
            description = "show what runs on a page of this machine; its address is printed on standard error")
    private boolean wanted;

    @Option(
            names = "--log",
            description = "write down plans, decisions, errors and statistics; the file is named on standard error")
    private boolean log;

    @Option(names = "--log-json", description = "the same, one JSON object per line")
    private boolean logJson;

    /// The flags for Java that do the same for another process.
    List<String> flags() {
        List<String> flags = new ArrayList<>();
        if (wanted) {
            flags.add("-D" + Session.DASHBOARD + "=true");
        }
        if (log || logJson) {
            flags.add("-D" + Session.LOG + "=" + (logJson ? "json" : "true"));
        }
        return flags;
    }

    /// A session of this process.
    Session open() {
        LogSettings logged = logJson ? LogSettings.JSON : log ? LogSettings.TEXT : LogSettings.OFF;
        Session session = Session.builder()
                .dashboard(wanted ? DashboardSettings.ON : DashboardSettings.OFF)
                .log(logged)
                .open();
        if (logged.on()) {
            session.logFile().ifPresent(file -> System.err.println("millrace: the log of this session is " + file));
        }
        return session;
    }
}

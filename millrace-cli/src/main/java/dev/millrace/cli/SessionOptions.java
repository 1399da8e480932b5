package dev.millrace.cli;

import dev.millrace.Session;
import dev.millrace.settings.DashboardSettings;
import dev.millrace.settings.LogSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of every command that opens sessions for work that lasts.
final class SessionOptions {
    @Option(
            names = "--dashboard",
            description = "show what runs on a page of this machine; its address is printed on standard error")
    private boolean wanted;

    @Option(
            names = "--log",
            arity = "0..1",
            paramLabel = "FORMAT",
            fallbackValue = "text",
            description = "write down plans, decisions, errors and statistics: text (default) or json; the file is named"
                    + " on standard error")
    private @Nullable LogFormat log;

    /// The formats of a log.
    enum LogFormat {
        text,
        json
    }

    /// The flags for Java that do the same for another process.
    List<String> flags() {
        List<String> flags = new ArrayList<>();
        if (wanted) {
            flags.add("-D" + Session.DASHBOARD + "=true");
        }
        if (log != null) {
            flags.add("-D" + Session.LOG + "=" + (log == LogFormat.json ? "json" : "true"));
        }
        return flags;
    }

    /// A session of this process.
    Session open() {
        LogSettings logged = log == null ? LogSettings.OFF : log == LogFormat.json ? LogSettings.JSON : LogSettings.TEXT;
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

package dev.millrace;

import dev.millrace.error.MillraceException;
import dev.millrace.settings.DashboardSettings;
import dev.millrace.settings.LogSettings;
import dev.millrace.settings.Settings;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What system properties and the environment say about every session of the process: [Session#CLUSTER],
/// [Session#DASHBOARD] and [Session#LOG]. What the program itself sets goes first.
final class GivenSettings {
    private GivenSettings() {}

    /// The address of the cluster for sessions that name none; null if none is given.
    static @Nullable String cluster() {
        String property = System.getProperty(Session.CLUSTER, "");
        String address =
                property.isBlank() ? Objects.requireNonNullElse(System.getenv("MILLRACE_CLUSTER"), "") : property;
        return address.isBlank() ? null : address.strip();
    }

    /// These settings, with the dashboard and the log that are given.
    ///
    /// @throws MillraceException culprit USER, for a property that is none of its values
    static Settings over(Settings settings) {
        return over(settings, name -> System.getProperty(name, ""));
    }

    /// @param properties the value of each by its name; empty if it is not set
    static Settings over(Settings settings, UnaryOperator<String> properties) {
        return withLog(
                withDashboard(settings, properties.apply(Session.DASHBOARD).strip()),
                properties.apply(Session.LOG).strip());
    }

    private static Settings withDashboard(Settings settings, String given) {
        if (settings.dashboard().on() || given.isEmpty() || given.equals("false")) {
            return settings;
        }
        if (!given.equals("true") && !given.matches("\\d{1,5}")) {
            throw MillraceException.user(
                    "The property " + Session.DASHBOARD + " is true, false or a port, not '" + given + "'.");
        }
        return settings.with(
                given.equals("true") ? DashboardSettings.ON : DashboardSettings.ON.withPort(Integer.parseInt(given)));
    }

    private static Settings withLog(Settings settings, String given) {
        return settings.log().on()
                ? settings
                : switch (given) {
                    case "", "false" -> settings;
                    case "true" -> settings.with(LogSettings.TEXT);
                    case "json" -> settings.with(LogSettings.JSON);
                    case "logger" -> settings.with(LogSettings.LOGGER);
                    default ->
                        throw MillraceException.user("The property " + Session.LOG
                                + " is true, json, logger or false, not '" + given + "'.");
                };
    }
}

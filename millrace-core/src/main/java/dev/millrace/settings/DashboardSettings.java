package dev.millrace.settings;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Whether a session shows its runs on a page, and who may look. Needs the artifact `millrace-dashboard`.
///
/// The page is for those who have the token, which is part of the address that the session prints. Without a token of
/// the user's own there is a random one, and the page is reached from this machine only.
///
/// @param host the interface to listen on
/// @param port the first port to try: the next nine are tried if it is taken; 0: any free one
/// @param token what lets a reader in; null: a random one
/// @param folder where ended runs are kept; null: `.millrace/runs` in the user's home
/// @param keptRuns how many ended runs are kept there; the oldest are deleted
public record DashboardSettings(
        boolean on,
        String host,
        int port,
        @Nullable String token,
        @Nullable String folder,
        int keptRuns) implements Serializable {
    /// The loopback interface.
    public static final String LOOPBACK = "127.0.0.1";

    private static final int LEAST_TOKEN = 16;

    public static final DashboardSettings OFF = new DashboardSettings(false, LOOPBACK, 8265, null, null, 1_000);
    /// On the loopback interface, with a random token.
    public static final DashboardSettings ON = new DashboardSettings(true, LOOPBACK, 8265, null, null, 1_000);

    public DashboardSettings {
        if (port < 0 || port > 65_535) {
            throw MillraceException.user("The port of a dashboard is a number from 0 to 65535, not " + port + ".");
        }
        if (keptRuns < 0) {
            throw MillraceException.user("A dashboard keeps 0 or more runs, not " + keptRuns + ".");
        }
        if (token != null && (token.length() < LEAST_TOKEN || !token.matches("[A-Za-z0-9_.~-]+"))) {
            throw MillraceException.user("The token of a dashboard needs " + LEAST_TOKEN
                    + " or more characters, of letters, digits and _.~-: it is all that keeps others out.");
        }
        if (token == null && !isLoopback(host)) {
            throw MillraceException.user("A dashboard that listens on '" + host
                    + "' can be reached from other machines, so it needs a token that you choose:"
                    + " DashboardSettings.withToken(...).");
        }
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("::1") || host.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }

    /// Another port; 0 for any free one.
    public DashboardSettings withPort(int first) {
        return new DashboardSettings(on, host, first, token, folder, keptRuns);
    }

    /// A token of the user's own.
    public DashboardSettings withToken(String secret) {
        return new DashboardSettings(on, host, port, secret, folder, keptRuns);
    }

    /// Another interface: "0.0.0.0" for all. Needs [#withToken] first.
    public DashboardSettings withHost(String other) {
        return new DashboardSettings(on, other, port, token, folder, keptRuns);
    }

    /// Keeps this many ended runs in a folder.
    public DashboardSettings withFolder(String path, int runs) {
        return new DashboardSettings(on, host, port, token, path, runs);
    }

    /// Without the token, which is a secret.
    @Override
    public String toString() {
        return "DashboardSettings[" + (on ? "on" : "off") + ", host=" + host + ", port=" + port + ", folder="
                + (folder == null ? "~/.millrace/runs" : folder) + ", keptRuns=" + keptRuns + "]";
    }
}

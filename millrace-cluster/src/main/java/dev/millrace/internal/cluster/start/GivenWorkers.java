package dev.millrace.internal.cluster.start;

import dev.millrace.error.MillraceException;
import dev.millrace.settings.Settings;
import java.util.ArrayList;
import java.util.List;

/// Workers that somebody else started, at known addresses: `millrace://host1:7400,host2:7400`. They stay when the
/// session ends.
public final class GivenWorkers implements WorkerStarter {
    private static final String PREFIX = "millrace://";

    private final List<WorkerAddress> workers;

    GivenWorkers(List<WorkerAddress> workers) {
        this.workers = workers;
    }

    /// `millrace://HOST:PORT,...`.
    public static final class Provider implements StarterProvider {
        /// For [java.util.ServiceLoader].
        public Provider() {}

        @Override
        public String scheme() {
            return "millrace";
        }

        @Override
        public WorkerStarter open(String address, Settings settings) {
            if (settings.cluster().tokenFile() == null && System.getenv("MILLRACE_TOKEN") == null) {
                throw MillraceException.user("The workers at " + address + " have a token, which this session must know"
                        + " too: put it into the environment (MILLRACE_TOKEN), or into a file that"
                        + " ClusterSettings.DEFAULT.withTokenFile(file) names.");
            }
            return new GivenWorkers(parse(address));
        }
    }

    static List<WorkerAddress> parse(String address) {
        List<WorkerAddress> workers = new ArrayList<>();
        String list = address.startsWith(PREFIX) ? address.substring(PREFIX.length()) : "";
        for (String each : list.split(",", -1)) {
            int colon = each.lastIndexOf(':');
            String host = colon < 1 ? "" : each.substring(0, colon).replaceAll("^\\[|]$", "");
            String port = each.substring(colon + 1);
            if (host.isBlank() || !port.matches("[1-9][0-9]{0,4}") || Integer.parseInt(port) > 65535) {
                throw MillraceException.user(
                        "Workers are named as millrace://HOST:PORT,HOST:PORT,..., not '" + address + "'.");
            }
            workers.add(new WorkerAddress(host, Integer.parseInt(port), "worker"));
        }
        return workers;
    }

    @Override
    public int expected() {
        return workers.size();
    }

    @Override
    public void start(String token, Listener listener) {
        workers.forEach(listener::joined);
    }

    @Override
    public void close() {}
}

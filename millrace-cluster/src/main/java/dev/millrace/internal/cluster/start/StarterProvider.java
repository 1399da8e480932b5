package dev.millrace.internal.cluster.start;

import dev.millrace.settings.Settings;

/// Makes the starters of one kind of address; found by [java.util.ServiceLoader].
public interface StarterProvider {
    /// The kind: what stands before the first colon of the address, e.g. "local", "millrace", "ray".
    String scheme();

    /// A starter that has started nothing yet.
    ///
    /// @param address all of it: "local:3"
    /// @throws dev.millrace.error.MillraceException culprit USER, for an address that is wrong
    WorkerStarter open(String address, Settings settings);
}

package dev.millrace.internal.observe;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/// Watches the runs of a session. Called by threads of the session, which must not wait here.
public interface SessionObserver extends AutoCloseable {
    /// Where people can look, with what they need to be let in; empty if there is no such place.
    Optional<URI> address();

    void started(ObservedRun run);

    /// A run is closed.
    ///
    /// @param last its final figures
    void ended(RunDetails last, List<DeadLetterSample> letters);

    @Override
    void close();
}

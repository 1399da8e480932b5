package dev.millrace.internal.consume;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Actions that run when a feed is closed; later ones run at once. Thread-safe: `this` guards the list, actions run
/// outside the lock.
final class CloseActions {
    private @Nullable List<Runnable> actions = new ArrayList<>();

    void add(Runnable action) {
        synchronized (this) {
            if (actions != null) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }

    /// Called once, by the thread that closes the feed.
    void run() {
        List<Runnable> all;
        synchronized (this) {
            all = Objects.requireNonNull(actions, "a feed is closed once");
            actions = null;
        }
        all.forEach(Runnable::run);
    }
}

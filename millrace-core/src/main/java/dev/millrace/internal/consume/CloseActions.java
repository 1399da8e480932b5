package dev.millrace.internal.consume;

import java.util.ArrayList;
import java.util.List;

/// What is to be done when a feed is closed; whatever comes later than that is done at once. Thread-safe: `this` guards
/// the list, actions run outside of the lock.
final class CloseActions {
    private List<Runnable> actions = new ArrayList<>();

    void add(Runnable action) {
        synchronized (this) {
            if (actions != null) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }

    /// Once, by whoever closes the feed.
    void run() {
        List<Runnable> all;
        synchronized (this) {
            all = actions;
            actions = null;
        }
        all.forEach(Runnable::run);
    }
}

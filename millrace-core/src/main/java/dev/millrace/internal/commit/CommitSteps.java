package dev.millrace.internal.commit;

import java.util.function.Consumer;

/// The points of a commit between two changes of the file system, for tests that stop a process at each of them.
final class CommitSteps {
    /// Called for every step; does nothing in programs.
    static volatile Consumer<String> watcher = _ -> {};

    private CommitSteps() {}

    static void reached(String step) {
        watcher.accept(step);
    }
}

package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.settings.ProgressSettings;

/// Sessions with the defaults of a user, except that they show no progress.
final class Sessions {
    private Sessions() {}

    static Session quiet() {
        return Session.builder().progress(ProgressSettings.OFF).open();
    }
}

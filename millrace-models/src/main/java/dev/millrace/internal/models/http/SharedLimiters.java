package dev.millrace.internal.models.http;

import dev.millrace.internal.runtime.NodeCount;
import java.util.HashMap;
import java.util.Map;

/// The rate limiters of this process: the actors of one model share one, which has the process's part of the limits. A
/// limiter exists as long as an actor uses it.
final class SharedLimiters {
    private static final Map<String, Shared> ALL = new HashMap<>();

    private static final class Shared {
        final RateLimiter limiter;
        int holders;

        Shared(RateLimiter limiter) {
            this.limiter = limiter;
        }
    }

    private SharedLimiters() {}

    static RateLimiter take(HttpSettings settings) {
        synchronized (ALL) {
            Shared shared = ALL.computeIfAbsent(
                    settings.id(),
                    _ -> new Shared(new RateLimiter(
                            settings.requestsPerMinute(),
                            settings.tokensPerMinute(),
                            WaitClock.SYSTEM,
                            NodeCount.current())));
            shared.holders++;
            return shared.limiter;
        }
    }

    static void giveBack(HttpSettings settings) {
        synchronized (ALL) {
            Shared shared = ALL.get(settings.id());
            if (shared != null && --shared.holders == 0) {
                ALL.remove(settings.id());
            }
        }
    }
}

package dev.millrace.internal.fault;

import dev.millrace.runtime.RemoteFailure;
import java.util.List;

/// Whether the user wants an exception to be retried: by the name of its type or of a superclass, or by a part of its
/// message; its causes count too.
public final class RetryPatterns {
    private static final int DEEPEST = 20;

    private RetryPatterns() {}

    public static boolean match(List<String> patterns, Throwable thrown) {
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < DEEPEST; cause = cause.getCause(), depth++) {
            for (String pattern : patterns) {
                if (isOfType(cause, pattern)
                        || cause.getMessage() != null && cause.getMessage().contains(pattern)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Of an exception that could not be serialised only its own name is known.
    private static boolean isOfType(Throwable cause, String name) {
        if (cause instanceof RemoteFailure remote) {
            String original = remote.originalClass();
            return original.equals(name) || original.endsWith("." + name) || original.endsWith("$" + name);
        }
        for (Class<?> t = cause.getClass(); t != null; t = t.getSuperclass()) {
            if (t.getName().equals(name) || t.getSimpleName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}

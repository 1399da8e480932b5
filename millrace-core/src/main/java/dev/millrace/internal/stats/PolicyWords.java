package dev.millrace.internal.stats;

import java.util.Map;
import java.util.TreeMap;

/// What each backpressure policy waits for, in the words of the guide.
public final class PolicyWords {
    private static final Map<String, String> WORDS = new TreeMap<>(Map.of(
            "Capacity", "all CPUs or GPUs are taken",
            "ConcurrencyCap", "as many run at once as it may",
            "DownstreamCapacity", "what comes after it is slower",
            "Memory", "tasks wait for memory",
            "OutputDemand", "nobody asks for more yet",
            "ResourceBudget", "its share of memory for blocks is used"));

    private PolicyWords() {}

    /// All of them by the policies' names.
    public static Map<String, String> all() {
        return WORDS;
    }

    /// "ConcurrencyCap (as many run at once as it may)"; only the name for an unknown policy.
    public static String explained(String policy) {
        String words = WORDS.get(policy);
        return words == null ? policy : policy + " (" + words + ")";
    }
}

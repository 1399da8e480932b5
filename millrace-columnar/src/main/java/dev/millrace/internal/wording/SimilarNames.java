package dev.millrace.internal.wording;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Suggests the intended name for an unknown one: of a column, a table, a function.
public final class SimilarNames {
    /// Only this many characters of longer names are compared.
    private static final int MAX_LENGTH = 100;

    private SimilarNames() {}

    /// " Did you mean 'fare'?", for insertion between two sentences; empty if no known name is similar.
    public static String suggestion(String name, Collection<String> known) {
        String best = nearest(name, known);
        return best == null ? "" : " Did you mean '" + best + "'?";
    }

    /// The known name with the fewest typing errors relative to `name`, at most one in three letters; null if there is
    /// none. Case is ignored; among equally near names the first wins.
    public static @Nullable String nearest(String name, Collection<String> known) {
        String wanted = folded(name);
        String best = null;
        int bestErrors = Math.max(1, wanted.length() / 3) + 1;
        for (String candidate : known) {
            String other = folded(candidate);
            if (Math.abs(other.length() - wanted.length()) < bestErrors) {
                int errors = typingErrors(wanted, other);
                // Names that differ in every letter are not similar.
                if (errors < bestErrors && errors < Math.max(wanted.length(), other.length())) {
                    best = candidate;
                    bestErrors = errors;
                }
            }
        }
        return best;
    }

    private static String folded(String name) {
        String folded = name.toLowerCase(Locale.ROOT);
        return folded.length() <= MAX_LENGTH ? folded : folded.substring(0, MAX_LENGTH);
    }

    /// The number of letters omitted, added, replaced or swapped with their neighbour (optimal string alignment).
    public static int typingErrors(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(last[j], current[j - 1]) + 1);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    current[j] = Math.min(current[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = current;
            current = free;
        }
        return last[b.length()];
    }
}

package dev.millrace.internal.source;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// Puts parts of files, in their order, together to as many splits as a user asked for, of about the same bytes.
public final class SplitBundles {
    private SplitBundles() {}

    /// Exactly `count` bundles, or one for each part where there are fewer parts.
    ///
    /// @param bytes of a part; below 0 where that is not known: then all count the same
    public static <P> List<List<P>> of(List<P> parts, int count, ToLongFunction<P> bytes) {
        boolean isKnown = parts.stream().allMatch(part -> bytes.applyAsLong(part) >= 0);
        double total = isKnown ? parts.stream().mapToDouble(bytes::applyAsLong).sum() : parts.size();
        List<List<P>> bundles = new ArrayList<>();
        List<P> bundle = new ArrayList<>();
        double before = 0;
        for (int i = 0; i < parts.size(); i++) {
            P part = parts.get(i);
            bundle.add(part);
            before += isKnown ? bytes.applyAsLong(part) : 1;
            int further = count - bundles.size() - 1;
            boolean isFull = before >= total * (bundles.size() + 1) / count;
            boolean needsAllThatFollow = parts.size() - i - 1 <= further;
            if (further > 0 && (isFull || needsAllThatFollow)) {
                bundles.add(List.copyOf(bundle));
                bundle.clear();
            }
        }
        if (!bundle.isEmpty()) {
            bundles.add(List.copyOf(bundle));
        }
        return bundles;
    }
}

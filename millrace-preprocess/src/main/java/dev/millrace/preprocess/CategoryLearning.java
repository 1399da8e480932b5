package dev.millrace.preprocess;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Derives categories from counted values.
final class CategoryLearning {
    private CategoryLearning() {}

    /// @param counts the result of `valueCounts`, null if there are none
    /// @param most the maximum number of categories, of which the most frequent values are kept
    /// @throws MillraceException culprit DATA, if values are missing although they must not be
    public static Categories categories(
            String who,
            String column,
            DataType type,
            @Nullable Object counts,
            int most,
            boolean failOnUnknown,
            boolean allowMissing) {
        List<Object> values = new ArrayList<>();
        for (Object entry : counts == null ? List.of() : (List<?>) counts) {
            Object value = ((Map<?, ?>) entry).get("value");
            if (value != null) {
                values.add(value);
            } else if (!allowMissing) {
                throw MillraceException.data(who + ": the column '" + column + "' has "
                        + ((Map<?, ?>) entry).get("count")
                        + " missing values. Fill them first (SimpleImputer), or allow them with allowMissing().");
            }
        }
        List<Object> kept = new ArrayList<>(values.subList(0, Math.min(most, values.size())));
        kept.sort(CategoryLearning::compare);
        return new Categories(type, kept, failOnUnknown, !allowMissing);
    }

    /// The same, for a column that must have some.
    ///
    /// @throws MillraceException culprit DATA, also if there are no values
    public static Categories some(
            String who,
            String column,
            DataType type,
            @Nullable Object counts,
            int most,
            boolean failOnUnknown,
            boolean allowMissing) {
        Categories categories = categories(who, column, type, counts, most, failOnUnknown, allowMissing);
        if (categories.size() == 0) {
            throw PreprocessorChecks.nothingToLearn(who, column);
        }
        return categories;
    }

    /// The most frequent value that is not missing; null if there is none.
    public static @Nullable Object mostFrequent(@Nullable Object counts) {
        for (Object entry : counts == null ? List.of() : (List<?>) counts) {
            Object value = ((Map<?, ?>) entry).get("value");
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /// Compares texts by their UTF-8 bytes, as columns are sorted; all values of one column have the same class.
    @SuppressWarnings("unchecked")
    private static int compare(Object a, Object b) {
        return a instanceof String text
                ? Arrays.compareUnsigned(
                        text.getBytes(StandardCharsets.UTF_8), ((String) b).getBytes(StandardCharsets.UTF_8))
                : ((Comparable<Object>) a).compareTo(b);
    }
}

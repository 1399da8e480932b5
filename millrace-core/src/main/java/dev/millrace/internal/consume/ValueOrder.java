package dev.millrace.internal.consume;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The order of Java values of one column: numbers by value with NaN last, strings by their UTF-8 bytes, bytes
/// unsigned, everything else by nature.
final class ValueOrder {
    private ValueOrder() {}

    @SuppressWarnings("unchecked")
    static int compare(Object a, Object b) {
        return switch (a) {
            case String text ->
                Arrays.compareUnsigned(
                        text.getBytes(StandardCharsets.UTF_8), ((String) b).getBytes(StandardCharsets.UTF_8));
            case byte[] bytes -> Arrays.compareUnsigned(bytes, (byte[]) b);
            default -> ((Comparable<Object>) a).compareTo(b);
        };
    }
}

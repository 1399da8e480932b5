package dev.millrace.internal.models.text;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Pools the vectors of a text's tokens into one vector. One thread.
final class SentencePooling {
    private final int size;
    private final boolean mean;
    private final boolean normalised;
    private final float[] sum;
    private final float[] token;

    /// @param mean whether to average all tokens; otherwise the first token is used
    /// @param normalised whether the result is scaled to length 1
    SentencePooling(int size, boolean mean, boolean normalised) {
        this.size = size;
        this.mean = mean;
        this.normalised = normalised;
        this.sum = new float[size];
        this.token = new float[size];
    }

    /// @param vectors the vectors of the tokens, one after the other
    /// @param tokens the number of tokens without padding
    void pool(MemorySegment vectors, int tokens, MemorySegment target) {
        Arrays.fill(sum, 0);
        int used = mean ? tokens : 1;
        for (int i = 0; i < used; i++) {
            MemorySegment.copy(vectors, JAVA_FLOAT, (long) i * size * Float.BYTES, token, 0, size);
            for (int j = 0; j < size; j++) {
                sum[j] += token[j];
            }
        }
        double scale = 1.0 / used;
        if (normalised) {
            double squares = 0;
            for (float value : sum) {
                squares += (double) value * value;
            }
            // The divisor of the mean cancels out.
            scale = 1 / Math.max(1e-12, Math.sqrt(squares));
        }
        for (int j = 0; j < size; j++) {
            target.setAtIndex(JAVA_FLOAT, j, (float) (sum[j] * scale));
        }
    }
}

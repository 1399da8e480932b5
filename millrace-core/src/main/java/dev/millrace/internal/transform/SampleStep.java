package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.SelectionVector;
import java.util.Arrays;

/// Keeps each row with the given probability, independently. The choice depends on the seed, the place the task reads
/// from, the first row it gets and the row's position: so a task that is run again picks the same rows, and two tasks
/// do not pick the same positions.
///
/// @param rest whether the rows are kept that the sample leaves out
public record SampleStep(double fraction, long seed, boolean rest) implements TransformStep {
    public SampleStep(double fraction, long seed) {
        this(fraction, seed, false);
    }

    public SampleStep {
        if (!(fraction >= 0 && fraction <= 1)) {
            throw MillraceException.user("randomSample: the fraction must be from 0 to 1, not " + fraction + ".");
        }
    }

    @Override
    public String name() {
        return "randomSample(" + fraction + ")";
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return new SampleTransform(context);
    }

    private final class SampleTransform implements ChunkTransform {
        private final StepContext context;
        private long state;
        private boolean started;

        SampleTransform(StepContext context) {
            this.context = context;
        }

        @Override
        public void accept(Block chunk, ChunkSink out) throws Exception {
            Block kept;
            try (chunk) {
                int[] positions = new int[Math.toIntExact(chunk.rows())];
                start(chunk);
                int count = 0;
                for (int i = 0; i < positions.length; i++) {
                    positions[count] = i;
                    count += next() < fraction != rest ? 1 : 0;
                }
                kept = Blocks.take(context.allocator(), chunk, SelectionVector.of(positions, count));
            }
            out.emit(kept);
        }

        private void start(Block chunk) {
            if (!started && chunk.rows() > 0) {
                started = true;
                Object[] first =
                        chunk.columns().stream().map(column -> column.value(0)).toArray();
                state = mix(seed) ^ mix(context.position().origin().hashCode()) ^ mix(Arrays.deepHashCode(first));
            }
        }

        /// SplitMix64: uniform in 0 (included) to 1 (excluded).
        private double next() {
            state += 0x9E3779B97F4A7C15L;
            return (mix(state) >>> 11) * 0x1.0p-53;
        }

        private static long mix(long value) {
            long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            return z ^ (z >>> 31);
        }
    }
}

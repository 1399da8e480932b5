package dev.millrace.internal.source;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.type.Schema;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Some rows of Java values, which a task turns into columns. Carries its rows, so that it can travel.
///
/// @param values per row the values of the schema's columns, and maybe others
/// @param positions where each column of the schema is in a row
/// @param from the first row's number
record ItemsSplit(Schema schema, Object[][] values, int[] positions, long from) implements Split {
    @Override
    public String description() {
        return "items " + from + "-" + (from + values.length - 1);
    }

    @Override
    public OptionalLong rows() {
        return OptionalLong.of(values.length);
    }

    @Override
    public SplitReader open(ReadContext context) {
        return new ItemsReader(this, context);
    }

    private static final class ItemsReader implements SplitReader {
        private static final int CHECK_EVERY = 64;

        private final ItemsSplit split;
        private final ReadContext context;
        private final Object[] row;
        private int at;

        ItemsReader(ItemsSplit split, ReadContext context) {
            this.split = split;
            this.context = context;
            this.row = new Object[split.positions.length];
        }

        @Override
        public @Nullable Block next() {
            int left = split.values.length - at;
            if (left == 0) {
                return null;
            }
            try (BlockBuilder builder = new BlockBuilder(context.allocator(), split.schema, Math.min(left, 4096))) {
                while (at < split.values.length
                        && (builder.rows() % CHECK_EVERY != 0 || builder.sizeBytes() < context.chunkBytes())) {
                    append(builder);
                    at++;
                }
                return builder.build();
            }
        }

        private void append(BlockBuilder builder) {
            for (int i = 0; i < row.length; i++) {
                row[i] = split.values[at][split.positions[i]];
            }
            try {
                builder.append(row);
            } catch (MillraceException e) {
                throw new MillraceException(e.culprit(), "In row " + (split.from + at) + ": " + e.getMessage(), e);
            }
        }
    }
}

package dev.millrace.internal.source;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the parts of a split one after the other and converts their blocks to the columns of the read.
final class FileSplitReader implements SplitReader {
    private final FileSplit split;
    private final ReadContext context;
    private int next;
    private boolean any;
    private @Nullable StoredRange range;
    private @Nullable SplitReader reader;
    private @Nullable FileConstants constants;

    FileSplitReader(FileSplit split, ReadContext context) {
        this.split = split;
        this.context = context;
    }

    @Override
    public @Nullable Block next() throws Exception {
        while (true) {
            if (reader == null && !begin()) {
                // Later steps need the columns even without rows.
                boolean first = !any;
                any = true;
                return first ? Blocks.empty(split.columns().output()) : null;
            }
            Block block = Objects.requireNonNull(reader, "a part has begun").next();
            if (block == null) {
                Objects.requireNonNull(range, "a part has begun").requireUnchanged();
                end();
            } else if (block.rows() == 0) {
                block.close();
            } else {
                any = true;
                return conform(block);
            }
        }
    }

    /// @throws MillraceException culprit DATA, when a column cannot be converted to the type of the sampled files
    private Block conform(Block block) {
        Schema there = block.schema();
        try {
            return split.columns()
                    .conform(context.allocator(), block, Objects.requireNonNull(constants, "a part has begun"));
        } catch (MillraceException e) {
            throw e.culprit() == Culprit.INTERNAL ? typesDiffer(there, e) : e;
        }
    }

    private MillraceException typesDiffer(Schema there, MillraceException cause) {
        for (Field wanted : split.columns().stored().fields()) {
            int at = there.indexOf(wanted.name());
            Optional<DataType> common = at < 0
                    ? Optional.of(wanted.type())
                    : Types.common(there.field(at).type(), wanted.type());
            if (!common.equals(Optional.of(wanted.type()))) {
                return MillraceException.data("Column '" + wanted.name() + "' is "
                        + there.field(at).type() + " in "
                        + split.parts().get(next - 1).file().path() + ", and " + wanted.type()
                        + " in the files looked at for the schema. "
                        + (common.isPresent() ? "Take the union of all files by unionOfAllFiles(), or read " : "Read ")
                        + "the files apart, give the column one type, and put them together with union.");
            }
        }
        return cause;
    }

    @Override
    public @Nullable String part() {
        return next == 0 ? null : split.parts().get(next - 1).description();
    }

    /// Continues in the file if its format can, or else with the next.
    @Override
    public boolean skipBroken() throws Exception {
        if (reader != null && reader.skipBroken()) {
            return true;
        }
        end();
        return next < split.parts().size();
    }

    private boolean begin() throws Exception {
        if (next == split.parts().size()) {
            return false;
        }
        FileSplit.Part part = split.parts().get(next++);
        range = new StoredRange(
                part.file(),
                part.from(),
                part.to(),
                FileListing.compression(part.file(), split.format(), split.compression()),
                context);
        if (part.from() == 0) {
            context.meter().file();
        }
        constants = FileConstants.of(part.file().path(), split.columns().hive());
        reader = split.format().open(range, split.wanted(), context);
        return true;
    }

    private void end() throws Exception {
        SplitReader ended = reader;
        StoredRange closed = range;
        reader = null;
        range = null;
        try (closed) {
            if (ended != null) {
                ended.close();
            }
        }
    }

    @Override
    public void close() throws Exception {
        next = split.parts().size();
        end();
    }
}

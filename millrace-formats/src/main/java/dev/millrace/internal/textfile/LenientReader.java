package dev.millrace.internal.textfile;

import dev.millrace.block.Block;
import dev.millrace.source.SplitReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A reader of lines or records that can continue after a broken one. If its file cannot even be opened, it cannot
/// continue. One thread.
public abstract class LenientReader implements SplitReader {
    protected final BrokenLines broken = new BrokenLines();
    private boolean begun;

    /// Opens the range; called once.
    protected abstract void begin() throws IOException;

    /// Whether the range is at its end, or the rest cannot be read.
    protected abstract boolean isDone();

    /// The next block; null if it would be empty. Errors are reported to `broken`.
    protected abstract @Nullable Block read() throws IOException;

    @Override
    public final @Nullable Block next() throws IOException {
        if (!begun) {
            begin();
            begun = true;
        }
        @Nullable Block block = null;
        while (block == null) {
            broken.throwNext();
            if (isDone()) {
                return null;
            }
            block = read();
        }
        return block;
    }

    @Override
    public final boolean skipBroken() {
        broken.gather();
        return begun && (!isDone() || !broken.isEmpty());
    }
}

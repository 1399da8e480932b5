package dev.millrace.internal.textfile;

import dev.millrace.block.Block;
import dev.millrace.source.SplitReader;
import java.io.IOException;

/// A reader of lines or records that can go on behind a broken one. Where its file cannot even be opened there is
/// nothing to go on with. One thread.
public abstract class LenientReader implements SplitReader {
    protected final BrokenLines broken = new BrokenLines();
    private boolean begun;

    /// Opens the range, once.
    protected abstract void begin() throws IOException;

    /// Whether the range is at its end, or cannot be read on.
    protected abstract boolean isDone();

    /// The next block; null if it would have no row. What is broken in it goes to `broken`.
    protected abstract Block read() throws IOException;

    @Override
    public final Block next() throws IOException {
        if (!begun) {
            begin();
            begun = true;
        }
        Block block = null;
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

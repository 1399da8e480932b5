package dev.millrace.internal.python;

import dev.millrace.arrow.IpcReader;
import dev.millrace.batch.Batch;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Rows that a worker returned, in memory shared with it.
///
/// @param names of all columns, in order
/// @param same of columns that are those of the input: the name of the input's column by their own
/// @param memory the rest as an Arrow stream, with one reference that this owns; null if there is no rest
record PythonResult(
        List<String> names,
        Map<String, String> same,
        @Nullable Buffer memory) {
    /// Releases what was not taken.
    void drop() {
        if (memory != null) {
            memory.release();
        }
    }

    /// The columns that are not of the input, as a block that the caller closes; its memory is counted on the account.
    /// To be called once.
    ///
    /// @param account the one of a call: what is allocated there is released with the call
    @Nullable
    Block take(Allocator account) {
        if (memory == null) {
            return null;
        }
        return block(count(account), account);
    }

    /// The same of a source, which names no columns of an input, on an account that is not of a call.
    Block takeOwned(Allocator account) {
        Buffer counted = count(account);
        try {
            return block(counted, account);
        } finally {
            counted.release();
        }
    }

    private Buffer count(Allocator account) {
        Buffer whole = Objects.requireNonNull(memory, "there are rows");
        try {
            return account.adopt(whole, whole.size(), whole::segment);
        } finally {
            whole.release();
        }
    }

    private static Block block(Buffer counted, Allocator account) {
        try (IpcReader reader = IpcReader.of(counted, account)) {
            Block block = reader.next();
            return block == null ? Blocks.empty(reader.schema()) : block;
        }
    }

    /// Rows for a call with this batch as one batch of the same call.
    ///
    /// @param taken see [#take]; this owns it from here
    Batch batch(Batch input, @Nullable Block taken) {
        Batch batch = input.none();
        for (String name : names) {
            String given = same.get(name);
            if (given != null) {
                batch = batch.with(name, input.column(given));
            } else if (taken != null) {
                batch = batch.with(name, taken.column(name));
            }
        }
        return batch;
    }

    static PythonResult of(WorkerFrame frame, @Nullable Buffer memory) {
        String[] parts = frame.words().split("\1", -1);
        Map<String, String> same = new LinkedHashMap<>();
        String[] pairs = parts[1].isEmpty() ? new String[0] : parts[1].split("\0", -1);
        for (int i = 0; i + 1 < pairs.length; i += 2) {
            same.put(pairs[i], pairs[i + 1]);
        }
        return new PythonResult(List.of(parts[0].split("\0", -1)), same, memory);
    }

    /// The path of the memory's file, if it has one.
    static String path(WorkerFrame frame) {
        String[] parts = frame.words().split("\1", -1);
        return parts.length > 2 ? parts[2] : "";
    }

    /// The whole column of a result with one column.
    static Column only(Block block) {
        if (block.schema().size() != 1) {
            throw MillraceException.internal("a Python worker returned " + block.schema() + " for a filter");
        }
        return block.column(0);
    }
}

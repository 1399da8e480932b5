package dev.millrace.internal.iceberg;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.parquet.read.TableFile;
import dev.millrace.internal.parquet.read.TableFiles;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the files of a split: consecutive files without equality deletes together, each other file with its own
/// filter. One thread.
final class IcebergReader implements SplitReader {
    private final TableRead read;
    private final ReadContext context;
    private final Deque<PlannedFile> todo;
    private @Nullable SplitReader open;
    /// Null if `open` reads files without equality deletes.
    private @Nullable EqualityFilter filter;

    private long wanted;
    private boolean any;

    IcebergReader(IcebergSplit split, ReadContext context) {
        this.read = split.read();
        this.context = context;
        this.todo = new ArrayDeque<>(split.files());
        this.wanted = read.limit();
    }

    @Override
    public @Nullable Block next() throws Exception {
        while (wanted > 0) {
            SplitReader reader = open;
            if (reader == null) {
                PlannedFile first = todo.poll();
                if (first == null) {
                    break;
                }
                reader = openNext(first);
                open = reader;
            }
            Block block = reader.next();
            if (block == null) {
                reader.close();
                open = null;
                continue;
            }
            if (filter != null) {
                try (Block kept = filter.apply(block)) {
                    block = Blocks.widen(context.allocator(), kept, read.output());
                }
            }
            if (block.rows() == 0) {
                block.close();
                continue;
            }
            any = true;
            wanted -= block.rows();
            return block;
        }
        // A split without rows still returns an empty block with its columns.
        if (!any) {
            any = true;
            return Blocks.empty(read.output());
        }
        return null;
    }

    private SplitReader openNext(PlannedFile first) throws Exception {
        List<TableFile> files = new ArrayList<>();
        files.add(first.file());
        Schema output = read.output();
        filter = null;
        if (first.equality().isEmpty()) {
            for (PlannedFile next = todo.peek(); next != null && next.equality().isEmpty(); next = todo.peek()) {
                files.add(next.file());
                todo.remove();
            }
        } else {
            filter = EqualityFilter.load(first.equality(), read.table(), context);
            output = withCompared(first.equality());
        }
        return TableFiles.open(
                files,
                read.all(),
                output,
                read.filter(),
                filter == null ? wanted : Long.MAX_VALUE,
                read.table(),
                context);
    }

    /// The output columns, followed by columns that only the equality deletes need.
    private Schema withCompared(List<EqualityDelete> deletes) {
        Map<String, Field> fields = new LinkedHashMap<>();
        read.output().fields().forEach(field -> fields.put(field.name(), field));
        deletes.forEach(delete -> delete.columns().fields().forEach(field -> fields.putIfAbsent(field.name(), field)));
        return Schema.of(new ArrayList<>(fields.values()));
    }

    /// Continues with the next file.
    @Override
    public boolean skipBroken() throws Exception {
        return (open != null && open.skipBroken()) || !todo.isEmpty();
    }

    @Override
    public void close() throws Exception {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}

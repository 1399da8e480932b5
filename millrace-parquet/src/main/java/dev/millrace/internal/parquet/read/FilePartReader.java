package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.prune.RowRanges;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.internal.source.FileConstants;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadContext;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads some row groups of one file; with a filter by way of [FilteredRows]. One thread.
final class FilePartReader implements AutoCloseable {
    private static final int MAX_ROWS = 1 << 16;
    /// The maximum number of rows tested for one chunk of rows that pass.
    private static final int MAX_TESTED = 1 << 18;

    private final ParquetReadPlan plan;
    private final FilePart part;
    private final PageDecompressor decompressor;
    private final Allocator allocator;
    private final long chunkBytes;
    private final FileConstants constants;

    private final FileBytes bytes;
    private final OpenedPart opened;
    private final List<RowGroup> groups;
    /// Null without a filter.
    private final @Nullable GroupPruning pruning;

    private final List<SchemaNode> nodes;
    /// The columns that may be returned as dictionaries, provided that they have the projected type.
    private final Set<String> encoded;
    /// Null if all rows pass.
    private final @Nullable FilterParts filter;

    private int next;
    /// The row group that is being read; null if none is.
    private @Nullable OpenGroup open;
    /// The range that contains its next row.
    private int range;
    /// The number of rows left in the range.
    private long left;
    private int chunkRows;
    /// Whether pages of the row group are located by its page index.
    private boolean byIndex;
    /// The number of rows of the row group that were returned, and how many of these are still to be skipped in a
    /// second read.
    private long given;

    private long again;

    /// A row group that is being read.
    ///
    /// @param output the output columns as the reader produces them
    /// @param filtered owns the reader; null if all rows pass
    /// @param ranges the rows to read
    private record OpenGroup(
            RowGroupReader reader,
            ReadColumns output,
            @Nullable FilteredRows filtered,
            RowRanges ranges) {
        void close() {
            if (filtered != null) {
                filtered.close();
            } else {
                reader.close();
            }
        }
    }

    FilePartReader(FilePart part, ParquetReadPlan asked, PageDecompressor decompressor, ReadContext context) {
        this.part = part;
        this.decompressor = decompressor;
        this.allocator = context.allocator();
        this.chunkBytes = context.chunkBytes();
        this.bytes = FileBytes.open(part.stored(), allocator, context.meter());
        if (part.first()) {
            context.meter().file();
        }
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(bytes);
            opened = OpenedPart.of(part, bytes, asked, context);
            plan = opened.plan();
            groups = opened.groups();
            constants = opened.constants();
            if (part.table() == null && plan.options().files().columns() == null) {
                ReadColumns all = plan.all();
                all.known().requireAll(opened.columns().schema(), all.constants(), part.file());
            }
            pruning = plan.pruning(opened.columns());
            nodes = plan.needed().nodes(opened.columns(), part.file());
            encoded = encoded();
            filter = passesAll() ? null : FilterParts.of(plan, nodes);
            scope.keep();
        }
    }

    String file() {
        return part.file();
    }

    /// @throws MillraceException culprit RESOURCES, if the file may have changed since the read was planned
    void requireUnchanged() {
        bytes.requireUnchanged();
    }

    /// The next rows, or null at the end of the part. If a row group's page index is wrong (it points to something that
    /// is not a page, or to other rows), the row group is read again without it.
    @Nullable
    Block next() {
        while (true) {
            Block chunk;
            try {
                chunk = read();
            } catch (MalformedParquet e) {
                if (!byIndex) {
                    throw e;
                }
                closeGroup();
                again = given;
                openRows(groups.get(next - 1), null);
                continue;
            }
            if (chunk == null || again == 0) {
                given += chunk == null ? 0 : chunk.rows();
                return chunk;
            }
            try (chunk) {
                long known = Math.min(again, chunk.rows());
                again -= known;
                given += chunk.rows() - known;
                if (known < chunk.rows()) {
                    return chunk.slice(known, chunk.rows() - known);
                }
            }
        }
    }

    private @Nullable Block read() {
        while (true) {
            OpenGroup group = open;
            if (group == null || left == 0) {
                if (group != null && ++range < group.ranges().count()) {
                    enterRange(group);
                    continue;
                }
                closeGroup();
                if (again > 0) {
                    throw new MalformedParquet("its page index gave " + again + " rows that are not there");
                }
                if (next == groups.size()) {
                    return null;
                }
                openGroup(groups.get(next++));
                continue;
            }
            FilteredRows filtered = group.filtered();
            int rows = (int) Math.min(left, filtered != null ? MAX_TESTED : chunkRows);
            Block chunk = located(() -> filtered != null
                    ? filtered.next(rows)
                    : group.output().conform(allocator, group.reader().read(rows), constants));
            left -= filtered != null ? filtered.consumed() : rows;
            if (chunk.rows() > 0) {
                return chunk;
            }
            chunk.close();
        }
    }

    /// Opens no reader if no row can pass.
    private void openGroup(RowGroup group) {
        given = 0;
        // A file that was split had its statistics checked during planning.
        boolean cut = part.groups() != null;
        if (group.rows() == 0
                || pruning != null && !((cut || pruning.mayPass(group)) && pruning.mayContain(group, bytes))) {
            return;
        }
        openRows(group, pruning == null ? null : new PageIndex(bytes, group));
    }

    /// @param index null to read every page
    private void openRows(RowGroup group, @Nullable PageIndex index) {
        RowRanges ranges = index == null || pruning == null ? RowRanges.all(group.rows()) : pruning.rows(group, index);
        byIndex = false;
        left = 0;
        if (ranges.count() == 0) {
            return;
        }
        boolean all = ranges.rows() == group.rows();
        byIndex = !all;
        chunkRows = nodes.isEmpty()
                ? passesAll() ? Integer.MAX_VALUE : MAX_ROWS
                : Math.clamp((long) (chunkBytes / MemoryEstimate.perRow(group, made(group))), 1, MAX_ROWS);
        if (all) {
            bytes.willRead(
                    ChunkRanges.of(pruning == null ? groups : List.of(group), pruning == null ? next - 1 : 0, nodes));
        }
        WantedPages wanted = all || index == null ? null : new WantedPages(ranges, index);
        OpenGroup opening = located(() -> open(group, wanted, ranges));
        open = opening;
        range = 0;
        FilteredRows filtered = opening.filtered();
        if (filtered != null && located(filtered::isHopeless)) {
            closeGroup();
            return;
        }
        enterRange(opening);
    }

    /// @param wanted null to read every page
    private OpenGroup open(RowGroup group, @Nullable WantedPages wanted, RowRanges ranges) {
        try (ResourceScope scope = new ResourceScope()) {
            RowGroupReader reader =
                    scope.add(new RowGroupReader(bytes, group, nodes, wanted, encoded, decompressor, allocator));
            ReadColumns output =
                    encoded.isEmpty() ? plan.output() : plan.output().encoded(reader.schema());
            FilteredRows filtered = filter == null
                    ? null
                    : new FilteredRows(
                            plan,
                            filter,
                            reader,
                            constants,
                            opened.deletedIn(next - 1),
                            decompressor.spare(),
                            allocator,
                            chunkRows);
            return scope.keep(new OpenGroup(reader, output, filtered, ranges));
        }
    }

    private Set<String> encoded() {
        if (!passesAll()) {
            return Set.of();
        }
        Schema wanted = plan.schema();
        Set<String> names = new HashSet<>();
        for (SchemaNode node : nodes) {
            if (plan.encoded().contains(node.name()) && node.type().equals(wanted.type(node.name()))) {
                names.add(node.name());
            }
        }
        return names;
    }

    /// The nodes that are materialised: not those that only a filter reads, if a dictionary decides which rows pass.
    private List<SchemaNode> made(RowGroup group) {
        List<SchemaNode> made = new ArrayList<>(nodes);
        if (filter != null && filter.rest() == null) {
            for (FilterParts.OfColumn column : filter.columns()) {
                SchemaNode.Leaf leaf = (SchemaNode.Leaf) nodes.get(column.field());
                if (!column.used() && group.columns().get(leaf.column()).onlyDictionary()) {
                    made.remove(leaf);
                }
            }
        }
        return made;
    }

    private boolean passesAll() {
        return plan.filter() == null && opened.deleted() == null;
    }

    private void enterRange(OpenGroup group) {
        RowRanges ranges = group.ranges();
        left = ranges.to(range) - ranges.from(range);
        try {
            group.reader().moveTo(ranges.from(range));
        } catch (MalformedParquet e) {
            throw located(e);
        }
    }

    /// Adds the row group to errors.
    private <T> T located(ParquetReader.Work<T> work) {
        try {
            return work.run();
        } catch (MalformedParquet e) {
            throw located(e);
        }
    }

    private MalformedParquet located(MalformedParquet e) {
        int number = part.groups() == null ? next - 1 : part.groups().numbers()[next - 1];
        return new MalformedParquet("row group " + number + ", " + e.getMessage(), e);
    }

    private void closeGroup() {
        if (open != null) {
            open.close();
        }
        open = null;
        left = 0;
    }

    @Override
    public void close() {
        closeGroup();
        bytes.close();
    }
}

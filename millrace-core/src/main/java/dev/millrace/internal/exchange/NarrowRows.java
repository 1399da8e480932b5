package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.ConcatenateKernel;
import dev.millrace.internal.kernel.NarrowKernel;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.internal.kernel.aggregate.TextCodes;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// The narrow encoding of rows between map and reduce tasks: integral values in as few bytes as those of a bundle need,
/// and text of few distinct values as a dictionary, so that less memory is held, written and read. A column keeps its
/// name and gets another type.
final class NarrowRows {
    private NarrowRows() {}

    /// The rows of the blocks, concatenated and narrowed, as a block that the caller closes.
    ///
    /// @param blocks at least one, all of one schema
    static Block of(Allocator allocator, List<Block> blocks) {
        Schema schema = blocks.getFirst().schema();
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            for (int i = 0; i < schema.size(); i++) {
                columns.add(narrow(allocator, column(blocks, i)));
                fields.add(new Field(schema.field(i).name(), columns.getLast().type()));
            }
            return scope.keep(Block.of(Schema.of(fields), columns, rows(blocks)));
        }
    }

    private static Column narrow(Allocator allocator, List<Column> parts) {
        DataType.Int narrow = NarrowKernel.typeFor(parts);
        if (narrow != null) {
            return NarrowKernel.to(allocator, parts, narrow);
        }
        boolean text = parts.getFirst().type() instanceof DataType.Utf8;
        DictionaryColumn codes = text ? TextCodes.of(allocator, parts) : null;
        if (codes == null) {
            return ConcatenateKernel.columns(allocator, parts);
        }
        try {
            DataType.Int few = NarrowKernel.typeFor(List.of(codes.indices()));
            return few == null ? codes.retain() : indexedBy(allocator, codes, few);
        } finally {
            codes.release();
        }
    }

    /// The same values with indices of another width.
    private static Column indexedBy(Allocator allocator, DictionaryColumn codes, DataType.Int type) {
        FixedWidthColumn indices = (FixedWidthColumn) NarrowKernel.to(allocator, List.of(codes.indices()), type);
        DataType.Dictionary as = new DataType.Dictionary(type, codes.type().value(), false);
        return new DictionaryColumn(as, indices, codes.dictionary().retain());
    }

    /// The rows of narrow blocks, concatenated and widened, as a block that the caller closes.
    ///
    /// @param blocks at least one, all of them with these columns; those of each may be narrow or not
    static Block restore(Allocator allocator, List<Block> blocks, Schema schema) {
        return restore(allocator, blocks, schema, List.of());
    }

    /// The same, but text of some columns may stay a dictionary.
    static Block restore(Allocator allocator, List<Block> blocks, Schema schema, List<String> coded) {
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            for (int i = 0; i < schema.size(); i++) {
                Field field = schema.field(i);
                List<Column> parts = column(blocks, i);
                boolean codes =
                        coded.contains(field.name()) && parts.stream().allMatch(DictionaryColumn.class::isInstance);
                columns.add(codes ? codes(allocator, parts) : restored(allocator, parts, field.type()));
                fields.add(new Field(field.name(), columns.getLast().type()));
            }
            return scope.keep(Block.of(coded.isEmpty() ? schema : Schema.of(fields), columns, rows(blocks)));
        }
    }

    private static Column restored(Allocator allocator, List<Column> parts, DataType type) {
        if (parts.stream().allMatch(part -> part.type().equals(type))) {
            return ConcatenateKernel.columns(allocator, parts);
        }
        if (parts.stream().noneMatch(DictionaryColumn.class::isInstance)) {
            return NarrowKernel.to(allocator, parts, type);
        }
        return together(allocator, parts, part -> WidenKernel.to(allocator, part, type));
    }

    private static Column codes(Allocator allocator, List<Column> parts) {
        return together(allocator, parts, part -> indexedBy(allocator, (DictionaryColumn) part, DataType.INT32));
    }

    private static Column together(Allocator allocator, List<Column> parts, UnaryOperator<Column> made) {
        List<Column> all = new ArrayList<>();
        try {
            parts.forEach(part -> all.add(made.apply(part)));
            return ConcatenateKernel.columns(allocator, all);
        } finally {
            all.forEach(Column::release);
        }
    }

    /// The widened keys of a narrow block, as a block that the caller closes.
    static Block keys(Allocator allocator, Block block, Schema schema, List<SortKey> keys) {
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            for (String name : keys.stream().map(SortKey::column).distinct().toList()) {
                Field field = schema.field(schema.require(name, "sort"));
                Column column = block.column(block.schema().require(name, "sort"));
                columns.add(restored(allocator, List.of(column), field.type()));
                fields.add(field);
            }
            return scope.keep(Block.of(Schema.of(fields), columns, block.rows()));
        }
    }

    /// The bytes of the rows of a narrow block after widening.
    static long plainBytes(Block block, Schema schema) {
        long bytes = block.sizeBytes();
        for (int i = 0; i < schema.size(); i++) {
            if (!block.column(i).type().equals(schema.field(i).type())) {
                bytes += block.rows() * more(block.column(i), schema.field(i).type());
            }
        }
        return bytes;
    }

    /// How many bytes a value is wider than its narrow form.
    private static long more(Column narrow, DataType type) {
        if (narrow instanceof DictionaryColumn codes) {
            Column values = codes.dictionary();
            return values.sizeBytes() / Math.max(1, values.length())
                    - codes.indices().byteWidth();
        }
        return NarrowKernel.more(narrow, type);
    }

    private static List<Column> column(List<Block> blocks, int number) {
        List<Column> parts = new ArrayList<>(blocks.size());
        for (Block block : blocks) {
            parts.add(block.column(number));
        }
        return parts;
    }

    private static long rows(List<Block> blocks) {
        return blocks.stream().mapToLong(Block::rows).sum();
    }
}

package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.expression.SortKey;
import dev.millrace.internal.kernel.Concatenate;
import dev.millrace.internal.kernel.Narrow;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Rows as they travel from map to reduce tasks: whole values in as few bytes as those of a bundle need, so that less is
/// held, written and read. A column has the same name, and another type.
final class NarrowRows {
    private NarrowRows() {}

    /// The rows of the blocks, one after the other, as a block that the caller closes.
    ///
    /// @param blocks at least one, all of one schema
    static Block of(Allocator allocator, List<Block> blocks) {
        Schema schema = blocks.getFirst().schema();
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        try {
            for (int i = 0; i < schema.size(); i++) {
                List<Column> parts = column(blocks, i);
                DataType.Int narrow = Narrow.typeFor(parts);
                columns.add(
                        narrow == null
                                ? Concatenate.columns(allocator, parts)
                                : Narrow.to(allocator, parts, narrow));
                fields.add(new Field(schema.field(i).name(), columns.getLast().type()));
            }
            return Block.of(Schema.of(fields), columns, rows(blocks));
        } catch (RuntimeException | Error e) {
            columns.forEach(Column::release);
            throw e;
        }
    }

    /// The rows of narrow blocks, one after the other and as they were, as a block that the caller closes.
    ///
    /// @param blocks at least one, all of them with these columns; those of each may be narrow or not
    static Block restore(Allocator allocator, List<Block> blocks, Schema schema) {
        List<Column> columns = new ArrayList<>();
        try {
            for (int i = 0; i < schema.size(); i++) {
                DataType type = schema.field(i).type();
                List<Column> parts = column(blocks, i);
                boolean plain = parts.stream().allMatch(part -> part.type().equals(type));
                columns.add(
                        plain ? Concatenate.columns(allocator, parts) : Narrow.to(allocator, parts, type));
            }
            return Block.of(schema, columns, rows(blocks));
        } catch (RuntimeException | Error e) {
            columns.forEach(Column::release);
            throw e;
        }
    }

    /// The keys of a narrow block as they were, as a block that the caller closes.
    static Block keys(Allocator allocator, Block block, Schema schema, List<SortKey> keys) {
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        try {
            for (String name : keys.stream().map(SortKey::column).distinct().toList()) {
                Field field = schema.field(schema.require(name, "sort"));
                Column column = block.column(block.schema().require(name, "sort"));
                columns.add(
                        column.type().equals(field.type())
                                ? column.retain()
                                : Narrow.to(allocator, List.of(column), field.type()));
                fields.add(field);
            }
            return Block.of(Schema.of(fields), columns, block.rows());
        } catch (RuntimeException | Error e) {
            columns.forEach(Column::release);
            throw e;
        }
    }

    /// What the rows of a narrow block take as they were.
    static long plainBytes(Block block, Schema schema) {
        long bytes = block.sizeBytes();
        for (int i = 0; i < schema.size(); i++) {
            if (!block.column(i).type().equals(schema.field(i).type())) {
                bytes += block.rows() * Narrow.more(block.column(i), schema.field(i).type());
            }
        }
        return bytes;
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

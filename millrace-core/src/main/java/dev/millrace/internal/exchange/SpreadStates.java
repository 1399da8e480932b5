package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.IntColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Several blocks of different columns as one kind of block, for an exchange: a row says of which it is and has nulls
/// in
/// the columns of the others.
final class SpreadStates {
    static final String KEY = "key";

    private SpreadStates() {}

    /// The blocks one after the other, all of one schema: [#KEY], then the columns of each. The caller closes both.
    ///
    /// @param numbered whether the first column of the block is a number below `most` that goes into the key
    static List<Block> together(Allocator allocator, List<Block> parts, List<Boolean> numbered, int most) {
        List<Field> fields = new ArrayList<>();
        fields.add(new Field(KEY, DataType.INT32));
        List<Integer> begins = new ArrayList<>();
        for (int p = 0; p < parts.size(); p++) {
            begins.add(fields.size());
            for (int i = numbered.get(p) ? 1 : 0; i < parts.get(p).schema().size(); i++) {
                fields.add(new Field(
                        "state " + p + " " + i, parts.get(p).schema().field(i).type()));
            }
        }
        Schema schema = Schema.of(fields);
        List<Block> made = new ArrayList<>();
        try {
            for (int p = 0; p < parts.size(); p++) {
                made.add(padded(allocator, schema, parts.get(p), p, numbered.get(p), begins.get(p), most));
            }
            return made;
        } catch (RuntimeException | Error e) {
            made.forEach(Block::close);
            throw e;
        }
    }

    private static Block padded(
            Allocator allocator, Schema schema, Block part, int number, boolean numbered, int begin, int most) {
        List<Column> columns = new ArrayList<>();
        try {
            columns.add(keys(allocator, part, number, numbered, most));
            int skipped = numbered ? 1 : 0;
            int end = begin + part.schema().size() - skipped;
            for (int i = 1; i < schema.size(); i++) {
                columns.add(
                        i >= begin && i < end
                                ? part.column(i - begin + skipped).retain()
                                : Columns.nulls(allocator, schema.field(i).type(), part.rows()));
            }
            return Block.of(schema, columns, part.rows());
        } catch (RuntimeException | Error e) {
            columns.forEach(Column::release);
            throw e;
        }
    }

    private static Column keys(Allocator allocator, Block part, int number, boolean numbered, int most) {
        Buffer keys = allocator.allocate(Math.max(1, part.rows() * Integer.BYTES));
        for (long row = 0; row < part.rows(); row++) {
            int low = numbered ? ((IntColumn) part.column(0)).get(row) : 0;
            keys.segment().setAtIndex(JAVA_INT, row, number * most + low);
        }
        return new IntColumn(DataType.INT32, part.rows(), keys, null, 0, 0);
    }

    /// The rows of one part, with its columns, as a block that the caller closes; the first column is the number below
    /// `most` where there is one.
    ///
    /// @param columns how many the part has, without the number
    /// @param begin the first of them
    static Block part(
            Allocator allocator, Block together, int number, boolean numbered, int begin, int columns, int most) {
        IntColumn keys = (IntColumn) together.column(0);
        int[] rows = new int[Math.toIntExact(together.rows())];
        int count = 0;
        for (int row = 0; row < rows.length; row++) {
            if (keys.get(row) / most == number) {
                rows[count++] = row;
            }
        }
        List<Field> fields = new ArrayList<>();
        List<Column> chosen = new ArrayList<>();
        if (numbered) {
            fields.add(together.schema().field(0));
            chosen.add(keys);
        }
        for (int i = begin; i < begin + columns; i++) {
            fields.add(together.schema().field(i));
            chosen.add(together.column(i));
        }
        try (Block narrow = Block.sharing(Schema.of(fields), chosen, together.rows())) {
            return Blocks.take(allocator, narrow, rows, count);
        }
    }
}

package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.aggregate.TextCodes;
import dev.millrace.internal.kernel.join.AsOfIndex;
import dev.millrace.internal.kernel.join.JoinHashTable;
import dev.millrace.internal.kernel.join.JoinKeys;
import dev.millrace.internal.kernel.join.KeyForm;
import dev.millrace.relation.AsOf;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Builds the hash table of a broadcast join, whose build side is small: emits the blocks of a [BuildTable].
///
/// @param reducer the join
/// @param left whether the left is the build side
/// @param encoded columns of text that become dictionaries, if they have few values
public record BuildTableMaker(JoinReducer reducer, boolean left, List<String> encoded) implements ShardMaker {
    public BuildTableMaker {
        encoded = List.copyOf(encoded);
    }

    public BuildTableMaker(JoinReducer reducer, boolean left) {
        this(reducer, left, List.of());
    }

    /// The same with dictionaries for those of its columns that are output under these names: for a following group by.
    public BuildTableMaker encoding(List<String> names) {
        return new BuildTableMaker(reducer, left, reducer.textOf(left, names));
    }

    @Override
    public void make(MapTask task) {
        try (Block rows = rows(task)) {
            if (rows.rows() == 0) {
                BuildTable.writeNothing(task, rows);
                return;
            }
            try (JoinKeys keys = reducer.keysOf(task.allocator(), rows, left);
                    JoinHashTable table =
                            JoinHashTable.build(task.allocator(), keys, forms(keys), Math.toIntExact(rows.rows()));
                    AsOfIndex index = index(task, rows, keys, table)) {
                BuildTable.write(task, rows, keys, table, index);
            }
        }
    }

    private Block rows(MapTask task) {
        Block all = task.all();
        if (reducer.join().asOf() != null && all.rows() > 0) {
            all = reducer.arranged(task.allocator(), all, reducer.orderType(all.schema()));
        }
        return encoded.isEmpty() ? all : encoded(task, all);
    }

    /// Closes the block that it takes.
    private Block encoded(MapTask task, Block rows) {
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope();
                rows) {
            List<Column> columns = scope.list();
            for (int i = 0; i < rows.schema().size(); i++) {
                Field field = rows.schema().field(i);
                Column codes = encoded.contains(field.name()) ? TextCodes.of(task.allocator(), rows.column(i)) : null;
                columns.add(codes == null ? rows.column(i).retain() : codes);
                fields.add(codes == null ? field : new Field(field.name(), codes.type()));
            }
            return scope.keep(Block.of(Schema.of(fields), columns, rows.rows()));
        }
    }

    /// Null if the join is of another kind.
    private @Nullable AsOfIndex index(MapTask task, Block rows, JoinKeys keys, JoinHashTable table) {
        AsOf asOf = reducer.join().asOf();
        return asOf == null
                ? null
                : AsOfIndex.of(task.allocator(), rows, keys, table, asOf, reducer.orderType(rows.schema()));
    }

    /// How keys will be compared, as far as the other side's types are known; a task with other types builds its own
    /// table.
    private List<KeyForm> forms(JoinKeys keys) {
        Schema other = left ? reducer.right() : reducer.left();
        List<String> names = left ? reducer.join().rightKeys() : reducer.join().leftKeys();
        List<KeyForm> forms = new ArrayList<>();
        for (int k = 0; k < names.size(); k++) {
            DataType own = keys.columns().get(k).type();
            DataType as = reducer.as().get(k);
            DataType passing = as != null ? as : other == null ? own : other.type(names.get(k));
            KeyForm form = KeyForm.of(left ? own : passing, left ? passing : own);
            forms.add(form == null ? KeyForm.of(own, own) : form);
        }
        return forms;
    }
}

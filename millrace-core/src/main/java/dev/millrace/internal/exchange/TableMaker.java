package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.expression.AsOf;
import dev.millrace.internal.kernel.join.AsOfIndex;
import dev.millrace.internal.kernel.join.JoinKeys;
import dev.millrace.internal.kernel.join.JoinTable;
import dev.millrace.internal.kernel.join.KeyForm;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Builds the table of a join whose one side is small: out come the blocks of a [BuiltTable].
///
/// @param reducer the join
/// @param left whether it is the left that is built
public record TableMaker(JoinReducer reducer, boolean left) implements ShardMaker {
    @Override
    public void make(MapTask task) {
        try (Block rows = rows(task)) {
            if (rows.rows() == 0) {
                BuiltTable.writeNothing(task, rows);
                return;
            }
            try (JoinKeys keys = reducer.keysOf(task.allocator(), rows, left);
                    JoinTable table =
                            JoinTable.build(task.allocator(), keys, forms(keys), Math.toIntExact(rows.rows()));
                    AsOfIndex index = index(task, rows, keys, table)) {
                BuiltTable.write(task, rows, keys, table, index);
            }
        }
    }

    private Block rows(MapTask task) {
        Block all = task.all();
        return reducer.join().asOf() == null || all.rows() == 0
                ? all
                : reducer.arranged(task.allocator(), all, reducer.orderType(all.schema()));
    }

    /// Null where the join is of another kind.
    private AsOfIndex index(MapTask task, Block rows, JoinKeys keys, JoinTable table) {
        AsOf asOf = reducer.join().asOf();
        return asOf == null
                ? null
                : AsOfIndex.of(task.allocator(), rows, keys, table, asOf, reducer.orderType(rows.schema()));
    }

    /// How keys will be compared, as far as the other side's types are known; a task that meets others makes its own
    /// table.
    private List<KeyForm> forms(JoinKeys keys) {
        Schema other = left ? reducer.right() : reducer.left();
        List<String> names =
                left ? reducer.join().rightKeys() : reducer.join().leftKeys();
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

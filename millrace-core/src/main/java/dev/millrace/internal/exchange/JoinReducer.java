package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.internal.kernel.join.AsOfIndex;
import dev.millrace.internal.kernel.join.JoinColumns;
import dev.millrace.internal.kernel.join.JoinKeys;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.AsOf;
import dev.millrace.relation.Join;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Joins the rows of its part: the side with fewer rows is the build side (a hash table), the other is the probe side,
/// which is streamed block by block. Matches are emitted in blocks of the target size, however many one row has.
///
/// @param left the columns of the left, or null if they are not known before it runs
/// @param as the types to which keys are cast, null for those that stay
/// @param wanted the output columns, null for all
/// @param coded those of them that may be output as dictionaries, if they are text
public record JoinReducer(
        Join join,
        @Nullable Schema left,
        @Nullable Schema right,
        List<@Nullable DataType> as,
        @Nullable List<String> wanted,
        List<String> coded)
        implements ShuffleReducer {
    static final int LEFT = 0;
    static final int RIGHT = 1;

    public JoinReducer {
        as = new ArrayList<>(as);
        coded = List.copyOf(coded);
    }

    public JoinReducer(
            Join join,
            @Nullable Schema left,
            @Nullable Schema right,
            List<@Nullable DataType> as,
            @Nullable List<String> wanted) {
        this(join, left, right, as, wanted, List.of());
    }

    /// The same with dictionaries for those of its columns that are output under these names: for a following group by.
    public JoinReducer coding(List<String> names) {
        return new JoinReducer(join, left, right, as, wanted, names);
    }

    /// The columns of text of one side, not keys, that are output unchanged under one of these names.
    List<String> textOf(boolean ofLeft, List<String> names) {
        if (left == null || right == null || names.isEmpty()) {
            return List.of();
        }
        JoinColumns columns = JoinColumns.of(join, left, right);
        Schema own = ofLeft ? left : right;
        List<String> chosen = new ArrayList<>();
        for (int i = 0; i < columns.sources().size(); i++) {
            JoinColumns.Source source = columns.sources().get(i);
            int at = ofLeft ? source.left() : source.right();
            boolean alone = source.left() < 0 || source.right() < 0;
            if (at >= 0
                    && alone
                    && own.field(at).type() instanceof DataType.Utf8
                    && names.contains(columns.schema().field(i).name())) {
                chosen.add(own.field(at).name());
            }
        }
        chosen.removeAll(ofLeft ? join.leftKeys() : join.rightKeys());
        return chosen;
    }

    /// The keys of a block of one side. Closed by the caller.
    JoinKeys keysOf(Allocator allocator, Block block, boolean ofLeft) {
        List<Column> columns = new ArrayList<>();
        for (String key : ofLeft ? join.leftKeys() : join.rightKeys()) {
            columns.add(block.column(block.schema().require(key, "join")));
        }
        return JoinKeys.of(allocator, columns, as);
    }

    /// The type in which the values of an as-of join are compared.
    ///
    /// @param built the columns of the right
    DataType orderType(Schema built) {
        return left == null || right == null
                ? JoinColumns.orderType(asOf(), asBuilt(built), built)
                : JoinColumns.orderType(asOf(), left, right);
    }

    /// Of an as-of join.
    AsOf asOf() {
        return Objects.requireNonNull(join.asOf(), "the join is an as-of join");
    }

    /// If the left is not known yet, its values must have the right's type.
    private Schema asBuilt(Schema built) {
        DataType type = built.type(asOf().right());
        return Schema.of(List.of(new Field(asOf().left(), type)));
    }

    /// The rows of the right in the order that an as-of join needs, as a block that the caller closes; closes the
    /// other.
    Block arranged(Allocator allocator, Block rows, DataType type) {
        try (rows;
                JoinKeys keys = keysOf(allocator, rows, false)) {
            return AsOfIndex.arrange(allocator, rows, keys, asOf(), type);
        }
    }

    /// The values of an as-of join, of a block of the left. Released by the caller.
    Column orderOf(Allocator allocator, Block block, DataType type) {
        Column column = block.column(block.schema().require(asOf().left(), "join"));
        if (left == null || right == null) {
            AsOfIndex.common(asOf(), column.type(), type);
        }
        return WidenKernel.to(allocator, column, type);
    }

    @Override
    public void reduce(ReduceTask task) {
        boolean buildsLeft = join.asOf() == null && task.rows(LEFT) < task.rows(RIGHT);
        try (JoinRun run = new JoinRun(task, this, buildsLeft)) {
            run.run();
        }
    }
}

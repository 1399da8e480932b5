package dev.millrace.internal.kernel.aggregate;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.ConcatenateKernel;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A pivot: rows are grouped by the keys and the pivot's column ([#grouping]), and the groups of one key become one row
/// ([#pivot]) with a column for each value and aggregate.
///
/// @param values of the column, distinct; null may be one of them
/// @param input the columns of the rows, null if they are not known
public record PivotedBlocks(
        List<String> keys,
        String column,
        List<?> values,
        List<Aggregate> aggregates,
        @Nullable Schema input) implements Serializable {
    public PivotedBlocks {
        keys = List.copyOf(keys);
        values = Collections.unmodifiableList(new ArrayList<>(values));
        aggregates = List.copyOf(aggregates);
    }

    /// The aggregation before the pivot: keys, the pivot's column, aggregates.
    public GroupedBlocks grouping() {
        List<String> all = new ArrayList<>(keys);
        all.add(column);
        return new GroupedBlocks(all, aggregates);
    }

    /// The columns of the result: keys, then for each value the aggregates, under the value's text, or `value_sum(v)`
    /// if there are several aggregates.
    ///
    /// @throws MillraceException culprit USER, naming what is missing, does not fit or is duplicate
    public static Schema result(
            Schema input, List<String> keys, String column, List<?> values, List<Aggregate> aggregates) {
        DataType type = plain(input.field(input.require(column, "pivot")).type());
        Column typed = Columns.of(Allocator.collected("values"), type, values);
        try (RowGroups different = RowGroups.of(Allocator.collected("values"), one(typed), List.of("v"))) {
            if (different.groups() < values.size()) {
                throw MillraceException.user("pivot: a value comes twice, of " + values + ".");
            }
        }
        Schema grouped = AggregateTypes.result(input, keys, aggregates);
        List<Field> fields = new ArrayList<>(grouped.fields().subList(0, keys.size()));
        Set<String> taken = new HashSet<>(keys);
        for (Object value : values) {
            for (Field field : grouped.fields().subList(keys.size(), grouped.size())) {
                String name = name(value, field.name(), aggregates.size());
                if (!taken.add(name)) {
                    throw MillraceException.user("pivot: two columns would have the name '" + name + "'.");
                }
                fields.add(new Field(name, field.type()));
            }
        }
        return Schema.of(fields);
    }

    private static String name(Object value, String aggregate, int aggregates) {
        return aggregates == 1 ? String.valueOf(value) : value + "_" + aggregate;
    }

    private static Block one(Column column) {
        return Block.of(Schema.of("v", column.type()), List.of(column), column.length());
    }

    private static DataType plain(DataType type) {
        return type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
    }

    /// One row for each key.
    ///
    /// @param grouped the result of [#grouping], with all groups of the keys that it has
    public Block pivot(Allocator allocator, Block grouped) {
        IntColumn groupOf = GroupIds.of(allocator, grouped, keys);
        try {
            return pivot(allocator, grouped, groupOf);
        } finally {
            groupOf.release();
        }
    }

    private Block pivot(Allocator allocator, Block grouped, IntColumn groupOf) {
        int rows = Math.toIntExact(grouped.rows());
        int groups = 0;
        for (int row = 0; row < rows; row++) {
            groups = Math.max(groups, groupOf.get(row) + 1);
        }
        int[] rowOf = new int[groups];
        int[][] picked = new int[values.size()][groups];
        for (int[] ofValue : picked) {
            Arrays.fill(ofValue, -1);
        }
        int[] valueOf = valueOf(allocator, grouped.column(keys.size()));
        for (int row = rows - 1; row >= 0; row--) {
            int group = groupOf.get(row);
            rowOf[group] = row;
            if (valueOf[row] < values.size()) {
                picked[valueOf[row]][group] = row;
            }
        }
        List<Column> columns = new ArrayList<>();
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope();
                Block nothing = new GroupedBlocks(List.of(), aggregates).ofNothing(allocator, input)) {
            scope.addAll(columns);
            for (int i = 0; i < keys.size(); i++) {
                columns.add(GatherKernel.take(allocator, grouped.column(i), rowOf, rowOf.length));
                fields.add(grouped.schema().field(i));
            }
            List<String> names = AggregateTypes.names(keys, aggregates);
            for (int value = 0; value < values.size(); value++) {
                for (int i = 0; i < aggregates.size(); i++) {
                    Column results = grouped.column(keys.size() + 1 + i);
                    columns.add(takeOr(allocator, results, nothing.column(i), picked[value]));
                    String name = name(values.get(value), names.get(keys.size() + i), aggregates.size());
                    fields.add(new Field(name, results.type()));
                }
            }
            return scope.keep(Block.of(Schema.of(fields), columns, rowOf.length));
        }
    }

    /// For each row the index of its value, at or above their count if it is none of them.
    private int[] valueOf(Allocator allocator, Column stored) {
        Column column = stored instanceof DictionaryColumn
                ? WidenKernel.to(allocator, stored, plain(stored.type()))
                : stored.retain();
        try (Block wanted = one(Columns.of(allocator, column.type(), values))) {
            Column both = ConcatenateKernel.columns(allocator, List.of(wanted.column(0), column));
            try (Block all = one(both)) {
                IntColumn numbers = GroupIds.of(allocator, all, List.of("v"));
                try {
                    int[] ofRow = new int[Math.toIntExact(column.length())];
                    for (int row = 0; row < ofRow.length; row++) {
                        ofRow[row] = numbers.get(values.size() + row);
                    }
                    return ofRow;
                } finally {
                    numbers.release();
                }
            }
        } finally {
            column.release();
        }
    }

    /// For row -1, takes the result of the aggregate over no rows.
    private static Column takeOr(Allocator allocator, Column results, Column nothing, int[] rows) {
        if (nothing.isNull(0)) {
            return GatherKernel.takeOrNull(allocator, results, rows, rows.length);
        }
        Column both = ConcatenateKernel.columns(allocator, List.of(results, nothing));
        try {
            int[] found = new int[rows.length];
            for (int i = 0; i < rows.length; i++) {
                found[i] = rows[i] < 0 ? (int) results.length() : rows[i];
            }
            return GatherKernel.take(allocator, both, found, found.length);
        } finally {
            both.release();
        }
    }
}

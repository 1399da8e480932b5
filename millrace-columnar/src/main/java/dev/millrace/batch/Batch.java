package dev.millrace.batch;

import dev.millrace.block.Block;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.Columns;
import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.column.JavaTypes;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.internal.kernel.CompactKernel;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.internal.wording.SimilarNames;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Rows as typed columns: the argument and result of batch functions. Immutable: every method returns a new batch that
/// shares what did not change. Users never free memory: a batch passed to a function, and everything derived from it,
/// lives until the function returns; what the result uses lives on. To keep a batch longer, [#copy] it.
///
/// ```java
/// batch -> batch.mapDoubles("gross", g -> g / 1.19)                 // a column through a function, at memory speed
/// batch -> batch.with("net", col("gross").dividedBy(1.19))          // a column from an expression
/// batch -> batch.with("label", classify(batch.tensors("image")))    // a column from an array
/// ```
///
/// The columns of a result must be of equal length; that is checked when the function returns.
public final class Batch extends TypedColumns {
    private final BatchScope scope;
    private final Map<String, Column> columns;
    private final long rows;
    private @Nullable Schema schema;

    Batch(BatchScope scope, Schema schema, List<Column> list, long rows) {
        this.scope = scope;
        this.schema = schema;
        this.columns = LinkedHashMap.newLinkedHashMap(list.size());
        for (int i = 0; i < list.size(); i++) {
            columns.put(schema.field(i).name(), list.get(i));
        }
        this.rows = rows;
    }

    Batch(BatchScope scope, Map<String, Column> columns) {
        this.scope = scope;
        this.columns = columns;
        this.rows = columns.isEmpty() ? 0 : columns.values().iterator().next().length();
    }

    /// A batch without columns, independent of any function call: add columns with `with`. Its memory is
    /// garbage-collected. Inside a function, [#none] is cheaper.
    public static Batch empty() {
        return new BatchScope("a batch", Allocator.collected("a batch outside of a run")).empty();
    }

    /// A batch of one column of Java values or an array; see [#with(String, Object)].
    public static Batch of(String name, Object values) {
        return empty().with(name, values);
    }

    /// A batch of two columns.
    public static Batch of(String name1, Object values1, String name2, Object values2) {
        return empty().with(name1, values1).with(name2, values2);
    }

    /// A batch of three columns.
    public static Batch of(String name1, Object values1, String name2, Object values2, String name3, Object values3) {
        return of(name1, values1, name2, values2).with(name3, values3);
    }

    /// A batch of columns by name, in the map's order.
    public static Batch of(Map<String, ?> columns) {
        Batch batch = empty();
        for (Map.Entry<String, ?> column : columns.entrySet()) {
            batch = batch.with(column.getKey(), column.getValue());
        }
        return batch;
    }

    // Contents

    /// The number of rows.
    public long rows() {
        return rows;
    }

    /// Whether there are no rows.
    public boolean isEmpty() {
        return rows == 0;
    }

    /// Names and types of its columns.
    public Schema schema() {
        if (schema == null) {
            List<Field> fields = new ArrayList<>(columns.size());
            columns.forEach((name, column) -> fields.add(new Field(name, column.type())));
            schema = Schema.of(fields);
        }
        return schema;
    }

    /// The columns' names, in order.
    public List<String> columns() {
        return List.copyOf(columns.keySet());
    }

    /// The length of one column. All must be of the same length when a function returns.
    public long lengthOf(String name) {
        return raw(name).length();
    }

    /// Whether there is a column of this name.
    public boolean has(String name) {
        return columns.containsKey(name);
    }

    @Override
    public Column column(String name) {
        scope.lifetime().check();
        Column column = columns.get(name);
        if (column == null) {
            throw MillraceException.user("There is no column '" + name + "' in this batch."
                    + SimilarNames.suggestion(name, columns.keySet()) + " The columns are " + columns.keySet() + ".");
        }
        if (Lifetimes.CHECKED) {
            column = column.slice(0, column.length());
            column.bindTo(scope.lifetime());
        }
        return column;
    }

    /// One row as a value.
    public Row row(long index) {
        scope.lifetime().check();
        Row.Builder row = Row.builder();
        columns.forEach((name, column) -> row.set(name, column.value(index)));
        return row.build();
    }

    /// All rows as values.
    public List<Row> toRows() {
        List<Row> list = new ArrayList<>(Math.toIntExact(rows));
        for (long i = 0; i < rows; i++) {
            list.add(row(i));
        }
        return list;
    }

    // Adding and removing columns

    /// All columns, with this one replaced in place or added at the end. Takes over the reference of a column from a
    /// builder.
    public Batch with(String name, Column column) {
        scope.takeOver(column);
        return put(name, column);
    }

    /// With the column of the builder, which cannot be used afterwards.
    public Batch with(String name, ColumnBuilder builder) {
        return with(name, builder.build());
    }

    /// The expression's value per row: `batch.with("net", col("gross").dividedBy(1.19))`.
    public Batch with(String name, Expression expression) {
        try (Block block = toBlock(scope)) {
            BoundExpression bound = BoundExpression.bind(expression, block.schema());
            return put(name, scope.own(bound.evaluate(block, scope.account())));
        }
    }

    /// A column from an array (`long[]`, `double[]`, `String[]`, `Tensor[]`, `byte[][]`, ...) or from a collection of
    /// Java values; null elements are nulls. Columns, builders and expressions are accepted too.
    public Batch with(String name, Object values) {
        Allocator allocator = scope.account();
        return switch (values) {
            case Column column -> with(name, column);
            case ColumnBuilder builder -> with(name, builder);
            case Expression expression -> with(name, expression);
            // Arrays and collections of Java.
            default -> put(name, scope.own(Takers.column(allocator, name, values)));
        };
    }

    /// With a column of int64, new or replacing the one of that name.
    public Batch with(String name, long[] values) {
        return put(name, scope.own(Columns.ofLongs(scope.account(), values)));
    }

    /// With a column of int32.
    public Batch with(String name, int[] values) {
        return put(name, scope.own(Columns.ofInts(scope.account(), values)));
    }

    /// With a column of float64.
    public Batch with(String name, double[] values) {
        return put(name, scope.own(Columns.ofDoubles(scope.account(), values)));
    }

    /// With a column of float32.
    public Batch with(String name, float[] values) {
        return put(name, scope.own(Columns.ofFloats(scope.account(), values)));
    }

    /// With a column of booleans.
    public Batch with(String name, boolean[] values) {
        return put(name, scope.own(Columns.ofBooleans(scope.account(), values)));
    }

    /// With a column of text; null is null.
    public Batch with(String name, String[] values) {
        return put(name, scope.own(Columns.ofStrings(scope.account(), values)));
    }

    /// With a column of tensors, of one shape if all have the same.
    public Batch with(String name, Tensor[] values) {
        return put(name, scope.own(Takers.column(scope.account(), name, values)));
    }

    /// The same value in every row.
    public Batch withConstant(String name, @Nullable Object value) {
        return put(name, scope.own(Columns.constant(scope.account(), JavaTypes.infer(value), value, rows)));
    }

    /// Only these columns, in this order.
    public Batch select(String... names) {
        Map<String, Column> kept = new LinkedHashMap<>();
        for (String name : names) {
            if (kept.put(name, raw(name)) != null) {
                throw MillraceException.user("select: column '" + name + "' is named twice.");
            }
        }
        return new Batch(scope, kept);
    }

    /// Without these columns.
    public Batch without(String... names) {
        Map<String, Column> kept = new LinkedHashMap<>(columns);
        for (String name : names) {
            raw(name);
            kept.remove(name);
        }
        return new Batch(scope, kept);
    }

    /// One column under another name, in its place.
    public Batch rename(String from, String to) {
        raw(from);
        if (has(to) && !from.equals(to)) {
            throw MillraceException.user("rename: there is a column '" + to + "' already, beside '" + from + "'.");
        }
        Map<String, Column> renamed = new LinkedHashMap<>();
        columns.forEach((name, column) -> renamed.put(name.equals(from) ? to : name, column));
        return new Batch(scope, renamed);
    }

    /// No columns, for a result that keeps none of them: `batch.none().with("label", labels)`. The first column
    /// determines the number of rows.
    public Batch none() {
        return new Batch(scope, new LinkedHashMap<>());
    }

    // Selecting rows

    /// Rows `from` to `from + count`, without a copy.
    public Batch slice(long from, long count) {
        scope.lifetime().check();
        Map<String, Column> sliced = LinkedHashMap.newLinkedHashMap(columns.size());
        columns.forEach((name, column) -> sliced.put(name, column.slice(from, count)));
        return new Batch(scope, sliced);
    }

    /// The rows for which `keep` is true.
    public Batch filter(boolean[] keep) {
        if (keep.length != rows) {
            throw MillraceException.user("filter: " + keep.length + " booleans for " + rows + " rows.");
        }
        int[] positions = new int[keep.length];
        int count = 0;
        for (int i = 0; i < keep.length; i++) {
            positions[count] = i;
            count += keep[i] ? 1 : 0;
        }
        return filter(SelectionVector.of(positions, count));
    }

    /// The rows for which the condition is true (not false, not null).
    public Batch filter(BooleanColumn condition) {
        return filter(SelectionVector.where(condition));
    }

    /// The rows for which the condition is true (not false, not null).
    public Batch filter(Expression condition) {
        try (Block block = toBlock(scope)) {
            return filter(BoundExpression.bind(condition, block.schema()).select(block, scope.account()));
        }
    }

    /// The rows that the predicate accepts. The row passed to it moves on with each call.
    public Batch filterRows(Predicate<Row> predicate) {
        scope.lifetime().check();
        int[] positions = new int[Math.toIntExact(rows)];
        int count = 0;
        try (Block block = scope.toBlock(this)) {
            RowCursor cursor = new RowCursor(block);
            for (int i = 0; i < positions.length; i++) {
                cursor.moveTo(i);
                positions[count] = i;
                count += predicate.test(cursor) ? 1 : 0;
            }
            cursor.end();
        }
        return filter(SelectionVector.of(positions, count));
    }

    /// The rows whose value is not null and is accepted. Likewise the other typed filters; each lambda gets a loop of
    /// its own.
    public Batch filterLongs(String name, LongPredicate predicate) {
        return filter(TypedLoops.where(longs(name), predicate));
    }

    /// The rows whose int32 the predicate accepts.
    public Batch filterInts(String name, IntPredicate predicate) {
        return filter(TypedLoops.where(ints(name), predicate));
    }

    /// The rows whose float64 the predicate accepts.
    public Batch filterDoubles(String name, DoublePredicate predicate) {
        return filter(TypedLoops.where(doubles(name), predicate));
    }

    /// The rows whose float32 the predicate accepts.
    public Batch filterFloats(String name, DoublePredicate predicate) {
        return filter(TypedLoops.where(floats(name), predicate));
    }

    /// The rows whose text the predicate accepts.
    public Batch filterStrings(String name, Predicate<String> predicate) {
        return filter(SelectionVector.where(strings(name), predicate));
    }

    /// The rows at these positions, in this order; a position may occur twice.
    public Batch take(int... positions) {
        scope.lifetime().check();
        for (int position : positions) {
            if (position < 0 || position >= rows) {
                throw MillraceException.user("take: there is no row " + position + " in a batch of " + rows + ".");
            }
        }
        return mapColumns(column -> GatherKernel.take(scope.account(), column, positions, positions.length));
    }

    private Batch filter(SelectionVector selection) {
        scope.lifetime().check();
        return selection.isAll() ? this : mapColumns(column -> GatherKernel.take(scope.account(), column, selection));
    }

    private Batch mapColumns(UnaryOperator<Column> function) {
        Map<String, Column> mapped = LinkedHashMap.newLinkedHashMap(columns.size());
        columns.forEach((name, column) -> mapped.put(name, scope.own(function.apply(column))));
        return new Batch(scope.current(), mapped);
    }

    // Applying functions to values

    /// The column with the function applied to each value, at memory speed. Nulls stay null and are not passed to the
    /// function. Likewise for the other types.
    public Batch mapLongs(String name, LongUnaryOperator function) {
        return put(name, scope.own(TypedLoops.map(longs(name), scope.account(), function)));
    }

    /// Applies the function to each value of an int32 column.
    public Batch mapInts(String name, IntUnaryOperator function) {
        return put(name, scope.own(TypedLoops.map(ints(name), scope.account(), function)));
    }

    /// Applies the function to each value of a float64 column.
    public Batch mapDoubles(String name, DoubleUnaryOperator function) {
        return put(name, scope.own(TypedLoops.map(doubles(name), scope.account(), function)));
    }

    /// Applies the function to each value of a float32 column.
    public Batch mapFloats(String name, DoubleUnaryOperator function) {
        return put(name, scope.own(TypedLoops.map(floats(name), scope.account(), function)));
    }

    /// Applies the function to each value of a text column.
    public Batch mapStrings(String name, UnaryOperator<String> function) {
        return put(name, scope.own(TypedLoops.map(strings(name), scope.account(), function)));
    }

    // Creating columns

    @Override
    public ColumnBuilder newColumn(DataType type) {
        return scope.track(ColumnBuilder.of(allocator(), type, rows));
    }

    /// For code that fills buffers itself. What is allocated here is released when the function returns, unless a
    /// column of the result holds it.
    public Allocator allocator() {
        scope.lifetime().check();
        return scope.allocator();
    }

    /// A copy that may be kept indefinitely, in garbage-collected memory.
    public Batch copy() {
        scope.lifetime().check();
        Allocator kept = Allocator.collected("a copy of a batch");
        Map<String, Column> copies = LinkedHashMap.newLinkedHashMap(columns.size());
        columns.forEach((name, column) -> copies.put(name, CompactKernel.column(kept, column)));
        return new Batch(new BatchScope("a copy of a batch", kept), copies);
    }

    // For the scope

    Block toBlock(BatchScope target) {
        scope.lifetime().check();
        List<Column> list = new ArrayList<>(columns.size());
        if (scope.isOfCall(target)) {
            // A view of its own for each, without a bound lifetime.
            columns.values().forEach(column -> list.add(Lifetimes.CHECKED ? column.slice(0, column.length()) : column));
            return Block.sharing(schema(), list, rows);
        }
        try (ResourceScope owned = new ResourceScope()) {
            owned.addAll(list);
            columns.values().forEach(column -> list.add(CompactKernel.column(target.account(), column)));
            return owned.keep(Block.of(schema(), list, rows));
        }
    }

    /// Like [#column], for passing a column on: no view, no lifetime.
    private Column raw(String name) {
        scope.lifetime().check();
        Column column = columns.get(name);
        return column == null ? column(name) : column;
    }

    private Batch put(String name, Column column) {
        scope.lifetime().check();
        Map<String, Column> changed = new LinkedHashMap<>(columns);
        changed.put(name, column);
        return new Batch(scope.current(), changed);
    }

    /// Schema, rows and the first few of them.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(rows + " rows of " + schema());
        for (long i = 0; i < Math.min(rows, 5); i++) {
            text.append('\n').append(row(i));
        }
        return text.toString();
    }
}

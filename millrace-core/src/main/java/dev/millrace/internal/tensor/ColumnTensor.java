package dev.millrace.internal.tensor;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.DirectTensor;
import dev.millrace.iteration.TensorBatchOptions.ColumnOptions;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/// Creates the tensor of one column, and its mask and lengths if they are requested.
final class ColumnTensor {
    private final String name;
    private final Column column;
    private final ColumnOptions options;
    private final boolean writable;
    private final TensorMemory memory;
    private final Runnable check;
    private final Consumer<DirectTensor> out;

    ColumnTensor(
            String name,
            Column column,
            ColumnOptions options,
            boolean writable,
            TensorMemory memory,
            Runnable check,
            Consumer<DirectTensor> out) {
        this.name = name;
        this.column = column;
        this.options = options;
        this.writable = writable;
        this.memory = memory;
        this.check = check;
        this.out = out;
    }

    void make() {
        FlatColumn flat = FlatColumn.of(column, options.type(), memory);
        if (flat != null) {
            fixed(flat.as(options.type(), name, memory));
            return;
        }
        RaggedColumn ragged = RaggedColumn.of(column, options.type(), memory);
        if (ragged == null) {
            throw refused();
        }
        ragged(ragged.with(ragged.elements().as(options.type(), name, memory)));
    }

    // ---- rows of one shape

    private void fixed(FlatColumn flat) {
        int[] row = flat.shape().stream().mapToInt(Integer::intValue).toArray();
        boolean plain = row.length == 0;
        long nulls = plain ? flat.elements().nullCount() : nullCount();
        long inner = plain ? 0 : flat.elements().nullCount();
        MemorySegment values = flat.elements().values();
        if (nulls + inner > 0) {
            requireFill(nulls, inner);
            values = filled(flat, plain ? 0 : nulls);
        }
        if (options.padTo() != null) {
            int[] target = target(row);
            if (!Arrays.equals(target, row)) {
                values = padded(values, flat, row, target);
                describe(fullRows(row), target, !plain);
                add(name, flat.type(), target, values);
                return;
            }
        }
        describe(fullRows(row), row, !plain);
        add(name, flat.type(), row, values);
    }

    private long nullCount() {
        return column.hasNulls() ? column.nullCount() : 0;
    }

    private int[][] fullRows(int[] row) {
        int[][] shapes = new int[options.mask() == null && options.lengths() == null ? 0 : rows()][];
        Arrays.fill(shapes, row);
        return shapes;
    }

    private MemorySegment padded(MemorySegment values, FlatColumn flat, int[] row, int[] target) {
        int width = TensorElements.width(flat.type());
        RaggedPadding padding = new RaggedPadding(target, width);
        MemorySegment made = memory.allocate(padding.rowBytes() * rows());
        TensorElements.fill(made, flat.type(), Objects.requireNonNull(options.pad(), "padTo has a value"));
        long each = flat.perValue() * width;
        for (int i = 0; i < rows(); i++) {
            padding.copy(values, i * each, row, made, i * padding.rowBytes());
        }
        return made;
    }

    /// A copy with the fill value instead of null elements and null rows.
    private MemorySegment filled(FlatColumn flat, long nullRows) {
        FixedWidthColumn elements = flat.elements();
        MemorySegment made = memory.allocate(elements.values().byteSize());
        MemorySegment.copy(elements.values(), 0, made, 0, made.byteSize());
        if (elements.hasNulls()) {
            for (long i = 0; i < elements.length(); i++) {
                if (elements.isNull(i)) {
                    TensorElements.put(made, i, flat.type(), fill());
                }
            }
        }
        if (nullRows > 0) {
            long each = flat.perValue() * TensorElements.width(flat.type());
            for (long row = 0; row < rows(); row++) {
                if (column.isNull(row)) {
                    TensorElements.fill(made.asSlice(row * each, each), flat.type(), fill());
                }
            }
        }
        return made;
    }

    private void requireFill(long nulls, long inner) {
        if (options.fill() == null) {
            throw MillraceException.user("iterTensorBatches: column '" + name + "' has "
                    + (nulls > 0 ? count(nulls, "null") : count(inner, "null") + " inside its values")
                    + " in this batch, and a tensor has none: give them a value with fillNulls(\"" + name
                    + "\", 0), or drop those rows before with filter(col(\"" + name + "\").isNotNull()).");
        }
    }

    /// After [#requireFill].
    private Number fill() {
        return Objects.requireNonNull(options.fill(), "requireFill has seen it");
    }

    private static String count(long count, String word) {
        return count + " " + word + (count == 1 ? "" : "s");
    }

    // ---- rows of any shape

    private void ragged(RaggedColumn ragged) {
        FlatColumn flat = ragged.elements();
        int nulls = ragged.nullCount();
        long inner = flat.elements().nullCount();
        MemorySegment values = flat.elements().values();
        if (nulls + inner > 0) {
            requireFill(nulls, inner);
            // A null row has no elements: it is padding from its beginning on.
            values = inner > 0 ? filled(flat, 0) : values;
        }
        int[] target = options.padTo() == null ? ragged.largest() : target(ragged.largest());
        if (nulls == 0 && ragged.isAll(target)) {
            long bytes = new RaggedPadding(target, TensorElements.width(flat.type())).rowBytes() * rows();
            long from = ragged.rows() == 0 ? 0 : ragged.starts()[0] * TensorElements.width(flat.type());
            describe(ragged.shapes(), target, true);
            add(name, flat.type(), target, values.asSlice(from, bytes));
            return;
        }
        if (options.pad() == null && nulls == 0) {
            throw MillraceException.user("iterTensorBatches: the values of column '" + name
                    + "' differ in shape in this batch, " + spread(ragged) + ": pad them with pad(\"" + name
                    + "\", 0) or padTo, or bring them to one shape before.");
        }
        Number asked = options.pad();
        Number pad = asked == null ? fill() : asked;
        RaggedPadding padding = new RaggedPadding(target, TensorElements.width(flat.type()));
        MemorySegment made = memory.allocate(padding.rowBytes() * rows());
        TensorElements.fill(made, flat.type(), pad);
        for (int row = 0; row < ragged.rows(); row++) {
            long at = row * padding.rowBytes();
            if (ragged.nulls()[row]) {
                TensorElements.fill(made.asSlice(at, padding.rowBytes()), flat.type(), fill());
            } else {
                padding.copy(
                        values,
                        ragged.starts()[row] * TensorElements.width(flat.type()),
                        ragged.shapes()[row],
                        made,
                        at);
            }
        }
        describe(ragged.shapes(), target, true);
        add(name, flat.type(), target, made);
    }

    private static String spread(RaggedColumn ragged) {
        int[] first = ragged.shapes()[0];
        for (int[] shape : ragged.shapes()) {
            if (!Arrays.equals(first, shape)) {
                return Arrays.toString(first) + " and " + Arrays.toString(shape);
            }
        }
        return Arrays.toString(first);
    }

    /// The requested shape, which must contain `largest`.
    private int[] target(int[] largest) {
        List<Integer> asked = Objects.requireNonNull(options.padTo(), "a shape was requested");
        boolean fits = asked.size() == largest.length;
        for (int i = 0; fits && i < largest.length; i++) {
            fits = asked.get(i) >= largest[i];
        }
        if (!fits) {
            throw MillraceException.user("iterTensorBatches: column '" + name + "' has values of up to "
                    + Arrays.toString(largest) + " in this batch, more than padTo" + asked
                    + ": ask for a larger shape, or cut them before.");
        }
        return asked.stream().mapToInt(Integer::intValue).toArray();
    }

    // ---- beside the values

    /// The mask and the lengths, if they are requested.
    private void describe(int[][] shapes, int[] target, boolean sized) {
        if (options.mask() != null) {
            RaggedPadding padding = new RaggedPadding(target, Long.BYTES);
            MemorySegment mask = memory.allocate(padding.rowBytes() * rows());
            mask.fill((byte) 0);
            for (int row = 0; row < rows(); row++) {
                padding.mark(shapes[row], mask, row * padding.rowBytes() / Long.BYTES);
            }
            add(options.mask(), DataType.INT64, target, mask);
        }
        if (options.lengths() != null) {
            if (!sized) {
                throw MillraceException.user("iterTensorBatches: lengths are asked of column '" + name + "', but its "
                        + column.type() + " values have none.");
            }
            int dimensions = target.length;
            MemorySegment lengths = memory.allocate((long) rows() * dimensions * Long.BYTES);
            for (int row = 0; row < rows(); row++) {
                for (int i = 0; i < dimensions; i++) {
                    lengths.setAtIndex(JAVA_LONG, (long) row * dimensions + i, shapes[row][i]);
                }
            }
            add(options.lengths(), DataType.INT64, dimensions == 1 ? new int[0] : new int[] {dimensions}, lengths);
        }
    }

    private int rows() {
        return Math.toIntExact(column.length());
    }

    private void add(String tensor, DataType type, int[] row, MemorySegment values) {
        long[] shape = new long[row.length + 1];
        shape[0] = rows();
        for (int i = 0; i < row.length; i++) {
            shape[i + 1] = row[i];
        }
        out.accept(new DirectTensor(tensor, type, shape, writable ? ownCopy(values) : values.asReadOnly(), check));
    }

    /// A view of a block, or of a column created for the batch, is read-only; memory allocated for the tensor is not.
    private MemorySegment ownCopy(MemorySegment values) {
        if (!values.isReadOnly()) {
            return values;
        }
        MemorySegment copy = memory.allocate(values.byteSize());
        MemorySegment.copy(values, 0, copy, 0, values.byteSize());
        return copy;
    }

    private MillraceException refused() {
        String what = "iterTensorBatches: column '" + name + "' is of " + column.type() + ", which no tensor holds: ";
        return MillraceException.user(what
                + switch (column.type()) {
                    case DataType.Utf8 _ ->
                        "encode it as numbers, leave it out with columns(...), or keep it beside the tensors with"
                                + " keepStrings().";
                    case DataType.Binary _ -> "decode it to numbers before, or leave it out with columns(...).";
                    case DataType.Date _, DataType.Time _, DataType.Timestamp _, DataType.Duration _ ->
                        "ask for its number with dtype(\"" + name
                                + "\", DataType.INT64), or leave it out with columns(...).";
                    case DataType.Decimal _ ->
                        "ask for a float with dtype(\"" + name
                                + "\", DataType.FLOAT64), or leave it out with columns(...).";
                    case DataType.Dictionary codes
                    when codes.value().equals(DataType.UTF8) ->
                        "encode it as numbers, leave it out with columns(...), or keep it beside the tensors with"
                                + " keepStrings().";
                    // Types that no single cast converts to numbers.
                    default ->
                        "make numbers of it before, or in a function with collate(...), or leave it out with"
                                + " columns(...).";
                });
    }
}

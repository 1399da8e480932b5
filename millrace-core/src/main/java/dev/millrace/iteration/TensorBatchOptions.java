package dev.millrace.iteration;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// How tensors are created from a dataset for its consumer:
///
/// ```java
/// TensorBatchOptions.batchSize(32).localShuffle(1000, 7).dropLast()
///     .columns("image", "label").dtype("label", DataType.FLOAT32)
/// ```
///
/// Unset values come from the dataset's [dev.millrace.settings.IterationSettings]. Immutable; every method returns a
/// changed copy.
public final class TensorBatchOptions {
    /// The options of one column, or of all; null if not set.
    ///
    /// @param type of the elements
    /// @param fill the replacement of nulls
    /// @param pad the value after rows that are shorter than the longest
    /// @param padTo the shape of each row after padding, instead of the largest of the batch
    /// @param mask,lengths names of tensors that tell values from padding
    public record ColumnOptions(
            @Nullable DataType type,
            @Nullable Number fill,
            @Nullable Number pad,
            @Nullable List<Integer> padTo,
            @Nullable String mask,
            @Nullable String lengths) {
        static final ColumnOptions NONE = new ColumnOptions(null, null, null, null, null, null);

        /// These, and those of `others` for unset values.
        ColumnOptions or(ColumnOptions others) {
            return new ColumnOptions(
                    type == null ? others.type : type,
                    fill == null ? others.fill : fill,
                    pad == null ? others.pad : pad,
                    padTo,
                    mask,
                    lengths);
        }
    }

    private static final TensorBatchOptions DEFAULTS = new TensorBatchOptions(
            BatchOptions.defaults(), List.of(), Map.of(), ColumnOptions.NONE, false, false, null);

    private final BatchOptions batches;
    private final List<String> columns;
    private final Map<String, ColumnOptions> named;
    private final ColumnOptions all;
    private final boolean keepsStrings;
    private final boolean writable;
    private final @Nullable Collate collate;

    private TensorBatchOptions(
            BatchOptions batches,
            List<String> columns,
            Map<String, ColumnOptions> named,
            ColumnOptions all,
            boolean keepsStrings,
            boolean writable,
            @Nullable Collate collate) {
        this.batches = batches;
        this.columns = columns;
        this.named = named;
        this.all = all;
        this.keepsStrings = keepsStrings;
        this.writable = writable;
        this.collate = collate;
    }

    /// As the dataset's settings say, all columns, nothing cast or filled.
    public static TensorBatchOptions defaults() {
        return DEFAULTS;
    }

    /// Batches of `rows` rows.
    public static TensorBatchOptions batchSize(int rows) {
        return DEFAULTS.with(BatchOptions.of(rows));
    }

    /// Each block as one batch, see [BatchOptions#wholeBlocks].
    public static TensorBatchOptions wholeBlocks() {
        return DEFAULTS.with(BatchOptions.wholeBlocks());
    }

    /// Makes this many batches ahead on another thread.
    public TensorBatchOptions prefetch(int ahead) {
        return with(batches.prefetch(ahead));
    }

    /// Draws the rows of each batch at random from a buffer of at least `bufferRows` rows, the same ones for the same
    /// seed.
    public TensorBatchOptions localShuffle(long bufferRows, long seed) {
        return with(batches.shuffle(bufferRows, seed));
    }

    /// Drops a last batch that is not full.
    public TensorBatchOptions dropLast() {
        return with(batches.dropLastShort());
    }

    /// Only these columns, in this order; the others are not even read if the source supports that.
    public TensorBatchOptions columns(String... names) {
        if (names.length == 0) {
            throw MillraceException.user("columns: name one or more columns.");
        }
        return new TensorBatchOptions(batches, List.of(names), named, all, keepsStrings, writable, collate);
    }

    /// The element type of every tensor.
    public TensorBatchOptions dtype(DataType type) {
        requireElement(type);
        return with(new ColumnOptions(type, all.fill, all.pad, null, null, null));
    }

    /// The element type of one tensor. A value that does not fit is an error, not truncated.
    public TensorBatchOptions dtype(String column, DataType type) {
        requireElement(type);
        return with(column, o -> new ColumnOptions(type, o.fill, o.pad, o.padTo, o.mask, o.lengths));
    }

    /// Replaces nulls by a value; without it they are an error.
    public TensorBatchOptions fillNulls(Number value) {
        return with(new ColumnOptions(all.type, Objects.requireNonNull(value), all.pad, null, null, null));
    }

    /// The same for one column.
    public TensorBatchOptions fillNulls(String column, Number value) {
        Objects.requireNonNull(value);
        return with(column, o -> new ColumnOptions(o.type, value, o.pad, o.padTo, o.mask, o.lengths));
    }

    /// Pads lists and tensors of differing shapes to the largest of their batch with this value; without it they are an
    /// error.
    public TensorBatchOptions pad(Number value) {
        return with(new ColumnOptions(all.type, all.fill, Objects.requireNonNull(value), null, null, null));
    }

    /// The same for one column.
    public TensorBatchOptions pad(String column, Number value) {
        Objects.requireNonNull(value);
        return with(column, o -> new ColumnOptions(o.type, o.fill, value, o.padTo, o.mask, o.lengths));
    }

    /// The same, and every row gets this shape; a larger row is an error.
    public TensorBatchOptions padTo(String column, Number value, int... shape) {
        Objects.requireNonNull(value);
        if (shape.length == 0 || Arrays.stream(shape).anyMatch(size -> size < 0)) {
            throw MillraceException.user("padTo: the shape of a row has one or more sizes of 0 or more, not "
                    + Arrays.toString(shape) + ".");
        }
        List<Integer> to = Arrays.stream(shape).boxed().toList();
        return with(column, o -> new ColumnOptions(o.type, o.fill, value, to, o.mask, o.lengths));
    }

    /// Adds a tensor of int64 with the column's shape: 1 for a value, 0 for padding.
    public TensorBatchOptions mask(String column, String mask) {
        Objects.requireNonNull(mask);
        return with(column, o -> new ColumnOptions(o.type, o.fill, o.pad, o.padTo, mask, o.lengths));
    }

    /// Adds a tensor of int64 with the sizes before padding: `[rows]` for lists, `[rows, dimensions]` for tensors.
    public TensorBatchOptions lengths(String column, String lengths) {
        Objects.requireNonNull(lengths);
        return with(column, o -> new ColumnOptions(o.type, o.fill, o.pad, o.padTo, o.mask, lengths));
    }

    /// Keeps columns of text as arrays of strings beside the tensors; without it they are an error.
    public TensorBatchOptions keepStrings() {
        return new TensorBatchOptions(batches, columns, named, all, true, writable, collate);
    }

    /// Every tensor is a writable copy, until the next batch is requested: for loops that normalise or augment in
    /// place. Without it tensors share the memory of the dataset if possible, and are read-only.
    public TensorBatchOptions writable() {
        return new TensorBatchOptions(batches, columns, named, all, keepsStrings, true, collate);
    }

    /// Each batch belongs to the caller and stays valid as long as it is referenced, see [BatchOptions#copies]. Its
    /// tensors are writable, as those of [#writable] are.
    public TensorBatchOptions copies() {
        return with(batches.copies());
    }

    /// Creates the tensors by a user's function.
    public TensorBatchOptions collate(Collate function) {
        return new TensorBatchOptions(
                batches, columns, named, all, keepsStrings, writable, Objects.requireNonNull(function));
    }

    /// How batches are cut.
    public BatchOptions batches() {
        return batches;
    }

    /// Empty: all.
    public List<String> columns() {
        return columns;
    }

    /// The options for this column, by name or for all.
    public ColumnOptions of(String column) {
        return named.getOrDefault(column, ColumnOptions.NONE).or(all);
    }

    /// The columns with options by name.
    public List<String> namedColumns() {
        return List.copyOf(named.keySet());
    }

    /// Whether columns of text come as arrays of strings; otherwise they are an error.
    public boolean keepsStrings() {
        return keepsStrings;
    }

    /// Whether every tensor is a copy of its own.
    public boolean isWritable() {
        return writable || batches.copied();
    }

    /// Null where there is none.
    public @Nullable Collate collate() {
        return collate;
    }

    private static void requireElement(DataType type) {
        if (!(type instanceof DataType.Int || type instanceof DataType.Float || type.equals(DataType.BOOL))) {
            throw MillraceException.user("dtype: a tensor holds integers, floats or booleans, not " + type + ".");
        }
    }

    private TensorBatchOptions with(BatchOptions changed) {
        return new TensorBatchOptions(changed, columns, named, all, keepsStrings, writable, collate);
    }

    private TensorBatchOptions with(ColumnOptions forAll) {
        return new TensorBatchOptions(batches, columns, named, forAll, keepsStrings, writable, collate);
    }

    private TensorBatchOptions with(String column, UnaryOperator<ColumnOptions> change) {
        Map<String, ColumnOptions> changed = new LinkedHashMap<>(named);
        changed.put(Objects.requireNonNull(column), change.apply(named.getOrDefault(column, ColumnOptions.NONE)));
        return new TensorBatchOptions(batches, columns, changed, all, keepsStrings, writable, collate);
    }
}

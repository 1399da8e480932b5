package dev.millrace.batch;

import dev.millrace.column.BinaryBuilder;
import dev.millrace.column.BinaryColumn;
import dev.millrace.column.BooleanBuilder;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FloatBuilder;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.IntBuilder;
import dev.millrace.column.IntColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.LongColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorBuilder;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.type.DataType;

/// The columns of a batch by their type: how they are taken, and builders for new ones. A wrong type is an error that
/// names the right method.
public abstract sealed class TypedColumns permits Batch {
    TypedColumns() {}

    /// A column of any type. Taking a column after the function has returned is an error.
    public abstract Column column(String name);

    /// int64 (and uint64, timestamps, durations, fine times as they are stored).
    public LongColumn longs(String name) {
        return Takers.take(name, column(name), LongColumn.class);
    }

    /// int32 (and uint32, dates, coarse times as they are stored).
    public IntColumn ints(String name) {
        return Takers.take(name, column(name), IntColumn.class);
    }

    public ShortColumn shorts(String name) {
        return Takers.take(name, column(name), ShortColumn.class);
    }

    public ByteColumn bytes(String name) {
        return Takers.take(name, column(name), ByteColumn.class);
    }

    public DoubleColumn doubles(String name) {
        return Takers.take(name, column(name), DoubleColumn.class);
    }

    public FloatColumn floats(String name) {
        return Takers.take(name, column(name), FloatColumn.class);
    }

    public BooleanColumn booleans(String name) {
        return Takers.take(name, column(name), BooleanColumn.class);
    }

    public StringColumn strings(String name) {
        return Takers.take(name, column(name), StringColumn.class);
    }

    public BinaryColumn binaries(String name) {
        return Takers.take(name, column(name), BinaryColumn.class);
    }

    public DecimalColumn decimals(String name) {
        return Takers.take(name, column(name), DecimalColumn.class);
    }

    public ListColumn lists(String name) {
        return Takers.take(name, column(name), ListColumn.class);
    }

    public FixedListColumn fixedLists(String name) {
        return Takers.take(name, column(name), FixedListColumn.class);
    }

    public StructColumn structs(String name) {
        return Takers.take(name, column(name), StructColumn.class);
    }

    public MapColumn maps(String name) {
        return Takers.take(name, column(name), MapColumn.class);
    }

    /// Tensors of one shape.
    public TensorColumn tensors(String name) {
        return Takers.take(name, column(name), TensorColumn.class);
    }

    /// Tensors that each have their own shape.
    public VariableTensorColumn variableTensors(String name) {
        return Takers.take(name, column(name), VariableTensorColumn.class);
    }

    public DictionaryColumn dictionaries(String name) {
        return Takers.take(name, column(name), DictionaryColumn.class);
    }

    /// A builder for any type, paid for by the task; give it to [#with(String, ColumnBuilder)] when it is full.
    public abstract ColumnBuilder newColumn(DataType type);

    public LongBuilder newLongs() {
        return (LongBuilder) newColumn(DataType.INT64);
    }

    public IntBuilder newInts() {
        return (IntBuilder) newColumn(DataType.INT32);
    }

    public DoubleBuilder newDoubles() {
        return (DoubleBuilder) newColumn(DataType.FLOAT64);
    }

    public FloatBuilder newFloats() {
        return (FloatBuilder) newColumn(DataType.FLOAT32);
    }

    public BooleanBuilder newBooleans() {
        return (BooleanBuilder) newColumn(DataType.BOOL);
    }

    public StringColumnBuilder newStrings() {
        return (StringColumnBuilder) newColumn(DataType.UTF8);
    }

    public BinaryBuilder newBinaries() {
        return (BinaryBuilder) newColumn(DataType.BINARY);
    }

    /// Tensors of one shape.
    public TensorBuilder newTensors(DataType element, int... shape) {
        return (TensorBuilder) newColumn(DataType.tensor(element, shape));
    }
}

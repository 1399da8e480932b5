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

/// The columns of a batch by their type, and builders for new ones. A wrong type is an error that names the right
/// method.
abstract sealed class TypedColumns permits Batch {
    TypedColumns() {}

    /// A column of any type. Calling this after the function has returned is an error.
    public abstract Column column(String name);

    /// int64 (and uint64, timestamps, durations, fine times as they are stored).
    public LongColumn longs(String name) {
        return Takers.take(name, column(name), LongColumn.class);
    }

    /// int32 (and uint32, dates, coarse times as they are stored).
    public IntColumn ints(String name) {
        return Takers.take(name, column(name), IntColumn.class);
    }

    /// A column of 16-bit integers by its name.
    public ShortColumn shorts(String name) {
        return Takers.take(name, column(name), ShortColumn.class);
    }

    /// A column of 8-bit integers by its name.
    public ByteColumn bytes(String name) {
        return Takers.take(name, column(name), ByteColumn.class);
    }

    /// A column of float64 by its name.
    public DoubleColumn doubles(String name) {
        return Takers.take(name, column(name), DoubleColumn.class);
    }

    /// A column of float32 by its name.
    public FloatColumn floats(String name) {
        return Takers.take(name, column(name), FloatColumn.class);
    }

    /// A column of booleans by its name.
    public BooleanColumn booleans(String name) {
        return Takers.take(name, column(name), BooleanColumn.class);
    }

    /// A column of text by its name.
    public StringColumn strings(String name) {
        return Takers.take(name, column(name), StringColumn.class);
    }

    /// A column of bytes by its name.
    public BinaryColumn binaries(String name) {
        return Takers.take(name, column(name), BinaryColumn.class);
    }

    /// A column of decimals by its name.
    public DecimalColumn decimals(String name) {
        return Takers.take(name, column(name), DecimalColumn.class);
    }

    /// A column of lists by its name.
    public ListColumn lists(String name) {
        return Takers.take(name, column(name), ListColumn.class);
    }

    /// A column of lists of one size by its name.
    public FixedListColumn fixedLists(String name) {
        return Takers.take(name, column(name), FixedListColumn.class);
    }

    /// A column of structs by its name.
    public StructColumn structs(String name) {
        return Takers.take(name, column(name), StructColumn.class);
    }

    /// A column of maps by its name.
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

    /// A column of values of a dictionary by its name.
    public DictionaryColumn dictionaries(String name) {
        return Takers.take(name, column(name), DictionaryColumn.class);
    }

    /// A builder for any type, charged to the task; pass it to [Batch#with(String, ColumnBuilder)] when it is full.
    public abstract ColumnBuilder newColumn(DataType type);

    /// A builder of int64, charged to the task.
    public LongBuilder newLongs() {
        return (LongBuilder) newColumn(DataType.INT64);
    }

    /// A builder of int32, charged to the task.
    public IntBuilder newInts() {
        return (IntBuilder) newColumn(DataType.INT32);
    }

    /// A builder of float64, charged to the task.
    public DoubleBuilder newDoubles() {
        return (DoubleBuilder) newColumn(DataType.FLOAT64);
    }

    /// A builder of float32, charged to the task.
    public FloatBuilder newFloats() {
        return (FloatBuilder) newColumn(DataType.FLOAT32);
    }

    /// A builder of booleans, charged to the task.
    public BooleanBuilder newBooleans() {
        return (BooleanBuilder) newColumn(DataType.BOOL);
    }

    /// A builder of text, charged to the task.
    public StringColumnBuilder newStrings() {
        return (StringColumnBuilder) newColumn(DataType.UTF8);
    }

    /// A builder of bytes, charged to the task.
    public BinaryBuilder newBinaries() {
        return (BinaryBuilder) newColumn(DataType.BINARY);
    }

    /// Tensors of one shape.
    public TensorBuilder newTensors(DataType element, int... shape) {
        return (TensorBuilder) newColumn(DataType.tensor(element, shape));
    }
}

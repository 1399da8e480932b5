package dev.millrace.batch;

import dev.millrace.block.Block;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.lifetime.Lifetime;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import org.jspecify.annotations.Nullable;

/// A row of a block, without a copy: the same object moves from row to row. It is the argument of row functions; engine
/// code moves it, users see a [Row]. One thread.
public final class RowCursor extends Row {
    private static final Schema NO_COLUMNS = Schema.of();
    private static final RowShape NO_NAMES = RowShape.of(NO_COLUMNS);

    private Schema schema = NO_COLUMNS;
    private RowShape shape = RowShape.ENDED;
    /// The shape of `schema`, also after the end.
    private RowShape known = NO_NAMES;
    private Column[] columns = new Column[0];
    private long row;
    private @Nullable Lifetime lifetime;

    /// A cursor without a block.
    public RowCursor() {}

    /// A cursor over a block, before its first row.
    public RowCursor(Block block) {
        enter(block);
    }

    /// The following rows belong to this block; its holder keeps it until [#end].
    public void enter(Block block) {
        if (!block.schema().equals(schema)) {
            schema = block.schema();
            known = RowShape.of(schema);
        }
        shape = known;
        columns = block.columns().toArray(Column[]::new);
        row = 0;
    }

    /// A cursor of the same block at the same row, with a lifetime of its own: used instead of this one if lifetimes
    /// are checked.
    public RowCursor bound(Lifetime life) {
        RowCursor cursor = new RowCursor();
        cursor.schema = schema;
        cursor.shape = shape;
        cursor.known = known;
        cursor.columns = columns;
        cursor.row = row;
        cursor.lifetime = life;
        return cursor;
    }

    /// Moves to another row.
    public void moveTo(long position) {
        row = position;
    }

    /// The number of the current row.
    public long position() {
        return row;
    }

    /// Names and types of the block's columns.
    public Schema schema() {
        return schema;
    }

    /// A column of the block.
    public Column column(int position) {
        return columns[position];
    }

    /// Detaches the block: every later access is an error with a sentence.
    public void end() {
        shape = RowShape.ENDED;
        columns = new Column[0];
        if (lifetime == null) {
            lifetime = new Lifetime("a function over rows");
        }
        lifetime.end();
    }

    /// Reverts an [#end], for the next block.
    public void reopen(Block block) {
        lifetime = null;
        enter(block);
    }

    @Override
    public int size() {
        if (lifetime != null) {
            lifetime.check();
        }
        return columns.length;
    }

    @Override
    public String name(int position) {
        return shape.names[position];
    }

    @Override
    public @Nullable Object value(int position) {
        if (lifetime != null) {
            lifetime.check();
        }
        return columns[position].value(row);
    }

    @Override
    public int indexOf(String name) {
        if (lifetime != null) {
            lifetime.check();
        }
        return shape.indexOf(name);
    }

    @Override
    public boolean isNull(String name) {
        return columns[at(name)].isNull(row);
    }

    @Override
    public long getLong(String name) {
        int at = at(name);
        Column column = columns[at];
        if (column.hasNulls() && column.isNull(row)) {
            throw RowValues.isNull(name, "getLong");
        }
        if (shape.kinds[at] == RowShape.INT64) {
            return ((LongColumn) column).get(row);
        }
        return switch (column) {
            case IntColumn ints when ints.type() instanceof DataType.Int -> ints.toLong(row);
            case ShortColumn shorts -> shorts.toInt(row);
            case ByteColumn bytes -> bytes.toInt(row);
            // uint64, floats and types that are not numbers: checked by value.
            default -> RowValues.toLong(name, typed(name, column, "getLong"));
        };
    }

    @Override
    public int getInt(String name) {
        int at = at(name);
        Column column = columns[at];
        if (column.hasNulls() && column.isNull(row)) {
            throw RowValues.isNull(name, "getInt");
        }
        return switch (column) {
            case IntColumn ints when ints.type().equals(DataType.INT32) -> ints.get(row);
            case ShortColumn shorts -> shorts.toInt(row);
            case ByteColumn bytes -> bytes.toInt(row);
            // Wider numbers and types that are not numbers: checked by value.
            default -> RowValues.toInt(name, typed(name, column, "getInt"));
        };
    }

    @Override
    public double getDouble(String name) {
        int at = at(name);
        Column column = columns[at];
        if (column.hasNulls() && column.isNull(row)) {
            throw RowValues.isNull(name, "getDouble");
        }
        if (shape.kinds[at] == RowShape.FLOAT64) {
            return ((DoubleColumn) column).get(row);
        }
        return column instanceof FloatColumn floats
                ? floats.get(row)
                : RowValues.toDouble(name, typed(name, column, "getDouble"));
    }

    @Override
    public float getFloat(String name) {
        Column column = columns[at(name)];
        if (column instanceof FloatColumn floats && !floats.isNull(row)) {
            return floats.get(row);
        }
        return RowValues.toFloat(name, typed(name, column, "getFloat"));
    }

    @Override
    public boolean getBoolean(String name) {
        Column column = columns[at(name)];
        if (column instanceof BooleanColumn booleans && !booleans.isNull(row)) {
            return booleans.get(row);
        }
        return RowValues.toBoolean(name, typed(name, column, "getBoolean"));
    }

    @Override
    public @Nullable String getString(String name) {
        int at = at(name);
        Column column = columns[at];
        if (shape.kinds[at] == RowShape.UTF8) {
            return column.isNull(row) ? null : ((StringColumn) column).get(row);
        }
        return RowValues.toText(name, typed(name, column, "getString"));
    }

    @Override
    public @Nullable Row getRow(String name) {
        Column column = columns[at(name)];
        if (!(column instanceof StructColumn)) {
            return RowValues.toRow(name, typed(name, column, "getRow"));
        }
        return RowValues.toRow(name, column.value(row));
    }

    private int at(String name) {
        if (lifetime != null) {
            lifetime.check();
        }
        int at = shape.indexOf(name);
        if (at < 0) {
            throw unknown(name);
        }
        return at;
    }

    /// The boxed value. Dates and times are read by their own getters; a wrong one names the column's type.
    private @Nullable Object typed(String name, Column column, String getter) {
        Object value = column.value(row);
        DataType type = column.type() instanceof DataType.Dictionary dictionary ? dictionary.value() : column.type();
        boolean fits = value == null
                || switch (getter) {
                    case "getLong", "getInt" -> type instanceof DataType.Int && fitsInteger(value, getter);
                    case "getDouble" -> type.isNumeric();
                    case "getFloat" -> value instanceof Float || value instanceof Short || value instanceof Byte;
                    case "getBoolean" -> value instanceof Boolean;
                    case "getString" -> value instanceof String;
                    default -> false;
                };
        if (!fits) {
            throw RowValues.wrongType(name, column.type().toString(), getter, value);
        }
        return value;
    }

    private static boolean fitsInteger(Object value, String getter) {
        return getter.equals("getLong") || !(value instanceof Long);
    }

    @Override
    MillraceException unknown(String name) {
        if (lifetime != null) {
            lifetime.check();
        }
        return super.unknown(name);
    }
}

package dev.millrace.type;

import java.io.Serializable;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The type of a column: Arrow's types, as values. A type defines the meaning of a value, not the width of its offsets:
/// strings, binaries, lists and maps use 32-bit offsets and switch to 64-bit ones, per column, if 32 bits overflow.
///
/// `toString` is the short name in errors, schemas and `explain()`: `int64`, `list<utf8>`, `timestamp[us, UTC]`.
public sealed interface DataType extends Serializable {

    Null NULL = new Null();
    Bool BOOL = new Bool();
    Int INT8 = new Int(8, true);
    Int INT16 = new Int(16, true);
    Int INT32 = new Int(32, true);
    Int INT64 = new Int(64, true);
    Int UINT8 = new Int(8, false);
    Int UINT16 = new Int(16, false);
    Int UINT32 = new Int(32, false);
    Int UINT64 = new Int(64, false);
    Float FLOAT16 = new Float(16);
    Float FLOAT32 = new Float(32);
    Float FLOAT64 = new Float(64);
    Date DATE = new Date();
    Utf8 UTF8 = new Utf8();
    Binary BINARY = new Binary();

    /// Exact numbers of up to 38 digits, `scale` of them fractional.
    static Decimal decimal(int precision, int scale) {
        return new Decimal(precision, scale);
    }

    /// Times of day.
    static Time time(TimeUnit unit) {
        return new Time(unit);
    }

    /// Local dates and times, without a zone.
    static Timestamp timestamp(TimeUnit unit) {
        return new Timestamp(unit, null);
    }

    /// Instants, shown in the local time of a zone.
    static Timestamp timestamp(TimeUnit unit, @Nullable String zone) {
        return new Timestamp(unit, zone);
    }

    /// Durations.
    static Duration duration(TimeUnit unit) {
        return new Duration(unit);
    }

    /// Lists of any size.
    static ListOf list(DataType element) {
        return new ListOf(element);
    }

    /// Lists of a fixed size.
    static FixedList fixedList(DataType element, int size) {
        return new FixedList(element, size);
    }

    /// Records of named fields.
    static Struct struct(Field... fields) {
        return new Struct(List.of(fields));
    }

    /// Maps from keys to values; no key is null.
    static MapOf map(DataType key, DataType value) {
        return new MapOf(key, value);
    }

    /// Dictionary-encoded values: each distinct value is stored once.
    static Dictionary dictionary(DataType value) {
        return new Dictionary(INT32, value, false);
    }

    /// Tensors of one shape.
    static Tensor tensor(DataType element, int... shape) {
        return new Tensor(element, Arrays.stream(shape).boxed().toList());
    }

    /// Tensors whose shapes differ from row to row.
    static VariableTensor variableTensor(DataType element, int dimensions) {
        return new VariableTensor(element, dimensions);
    }

    // This interface has no default methods: with one, each type would initialise it before itself, while its constants
    // initialise types. Two threads that begin at both ends would wait for each other.

    /// Integers and floats (not decimals, not booleans).
    boolean isNumeric();

    /// Dates, times, timestamps and durations.
    sealed interface Temporal extends DataType {
        @Override
        default boolean isNumeric() {
            return false;
        }
    }

    /// Types whose values consist of other values.
    sealed interface Nested extends DataType {
        @Override
        default boolean isNumeric() {
            return false;
        }
    }

    /// A type without values other than null; unifies with every type.
    record Null() implements DataType {
        @Override
        public boolean isNumeric() {
            return false;
        }

        @Override
        public String toString() {
            return "null";
        }
    }

    /// Booleans, one bit each.
    record Bool() implements DataType {
        @Override
        public boolean isNumeric() {
            return false;
        }

        @Override
        public String toString() {
            return "bool";
        }
    }

    /// Two's complement or unsigned, 8 to 64 bits.
    record Int(int bits, boolean signed) implements DataType {
        public Int {
            if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
                throw new IllegalArgumentException("an integer has 8, 16, 32 or 64 bits, not " + bits);
            }
        }

        @Override
        public boolean isNumeric() {
            return true;
        }

        @Override
        public String toString() {
            return (signed ? "int" : "uint") + bits;
        }
    }

    /// IEEE 754 binary16, binary32 or binary64.
    record Float(int bits) implements DataType {
        public Float {
            if (bits != 16 && bits != 32 && bits != 64) {
                throw new IllegalArgumentException("a float has 16, 32 or 64 bits, not " + bits);
            }
        }

        @Override
        public boolean isNumeric() {
            return true;
        }

        @Override
        public String toString() {
            return "float" + bits;
        }
    }

    /// An unscaled 128-bit integer times 10^-scale.
    record Decimal(int precision, int scale) implements DataType {
        public Decimal {
            if (precision < 1 || precision > 38) {
                throw new IllegalArgumentException("a decimal has 1 to 38 digits, not " + precision);
            }
        }

        @Override
        public boolean isNumeric() {
            return false;
        }

        @Override
        public String toString() {
            return "decimal(" + precision + ", " + scale + ")";
        }
    }

    /// Days since 1970-01-01.
    record Date() implements Temporal {
        @Override
        public String toString() {
            return "date";
        }
    }

    /// Time of day: 32 bits for seconds and milliseconds, 64 bits for the finer units.
    record Time(TimeUnit unit) implements Temporal {
        public Time {
            Objects.requireNonNull(unit);
        }

        @Override
        public String toString() {
            return "time[" + unit.symbol() + "]";
        }
    }

    /// Units since the epoch: an instant shown in `zone`, or, without a zone (null), a local date and time.
    record Timestamp(TimeUnit unit, @Nullable String zone) implements Temporal {
        public Timestamp {
            Objects.requireNonNull(unit);
            if (zone != null) {
                try {
                    ZoneId.of(zone);
                } catch (DateTimeException e) {
                    throw new IllegalArgumentException("'" + zone + "' is not a time zone", e);
                }
            }
        }

        @Override
        public String toString() {
            return "timestamp[" + unit.symbol() + (zone == null ? "" : ", " + zone) + "]";
        }
    }

    /// Durations, in 64 bits.
    record Duration(TimeUnit unit) implements Temporal {
        public Duration {
            Objects.requireNonNull(unit);
        }

        @Override
        public String toString() {
            return "duration[" + unit.symbol() + "]";
        }
    }

    /// Text.
    record Utf8() implements DataType {
        @Override
        public boolean isNumeric() {
            return false;
        }

        @Override
        public String toString() {
            return "utf8";
        }
    }

    /// Bytes.
    record Binary() implements DataType {
        @Override
        public boolean isNumeric() {
            return false;
        }

        @Override
        public String toString() {
            return "binary";
        }
    }

    /// Lists of any size.
    record ListOf(DataType element) implements Nested {
        public ListOf {
            Objects.requireNonNull(element);
        }

        @Override
        public String toString() {
            return "list<" + element + ">";
        }
    }

    /// Lists of a fixed size.
    record FixedList(DataType element, int size) implements Nested {
        public FixedList {
            Objects.requireNonNull(element);
            if (size < 0) {
                throw new IllegalArgumentException("a fixed list has 0 or more elements, not " + size);
            }
        }

        @Override
        public String toString() {
            return "list<" + element + ", " + size + ">";
        }
    }

    /// Records of named fields.
    record Struct(List<Field> fields) implements Nested {
        public Struct {
            fields = List.copyOf(fields);
        }

        @Override
        public String toString() {
            return fields.stream().map(Field::toString).collect(Collectors.joining(", ", "struct<", ">"));
        }
    }

    /// Maps from keys to values.
    record MapOf(DataType key, DataType value) implements Nested {
        public MapOf {
            Objects.requireNonNull(key);
            Objects.requireNonNull(value);
        }

        @Override
        public String toString() {
            return "map<" + key + ", " + value + ">";
        }
    }

    /// Values stored once and referenced by `index`. Equivalent to its value type.
    record Dictionary(Int index, DataType value, boolean ordered) implements DataType {
        public Dictionary {
            Objects.requireNonNull(index);
            Objects.requireNonNull(value);
        }

        @Override
        public boolean isNumeric() {
            return false;
        }

        @Override
        public String toString() {
            return "dictionary<" + value + ">";
        }
    }

    /// Every value has this shape; elements are row-major fixed-width numbers.
    record Tensor(DataType element, List<Integer> shape) implements Nested {
        public Tensor {
            requireTensorElement(element);
            shape = List.copyOf(shape);
        }

        /// The number of elements of one value.
        public long elements() {
            return shape.stream().mapToLong(Integer::longValue).reduce(1L, Math::multiplyExact);
        }

        @Override
        public String toString() {
            return "tensor<" + element + ", "
                    + shape.stream().map(String::valueOf).collect(Collectors.joining("x")) + ">";
        }
    }

    /// Each value has its own shape of `dimensions` dimensions.
    record VariableTensor(DataType element, int dimensions) implements Nested {
        public VariableTensor {
            requireTensorElement(element);
        }

        @Override
        public String toString() {
            return "tensor<" + element + ", " + dimensions + "d>";
        }
    }

    private static void requireTensorElement(DataType element) {
        if (!(element instanceof Int || element instanceof Float)) {
            throw new IllegalArgumentException("a tensor holds integers or floats, not " + element);
        }
    }
}

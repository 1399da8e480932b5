package dev.millrace.internal.parquet.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/// Reads Thrift's compact protocol from an array: the JIT compiler generates a tenth of the code that it does for a
/// memory segment, and footers are read before anything is warm. Every length is checked against the remaining bytes,
/// so a damaged input ends in [MalformedParquet] and never in a large allocation.
///
/// A struct is read as `beginStruct(); while (nextField()) switch (fieldId()) {...}`; unused fields are skipped with
/// [#skip]. Lists are read whole.
public final class ThriftReader {
    private static final int STOP = 0;
    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int BYTE = 3;
    private static final int I16 = 4;
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int DOUBLE = 7;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int SET = 10;
    private static final int MAP = 11;
    private static final int STRUCT = 12;
    private static final int DEEPEST = 64;
    /// The number of slots for an inner struct in [#nestedFields].
    static final int INNER = 16;

    private final byte[] data;
    private final int end;
    private int at;
    private final int[] outer = new int[DEEPEST];
    private int depth;
    private int fieldId;
    /// The type of the next value: that of a field, or of the elements of the list last begun.
    private int type = STRUCT;
    /// If `type` is numeric: the number, already read. Reading numbers in one place, whatever the field, is little code
    /// to compile.
    private long number;

    /// Reads the range `from` to `end`.
    public ThriftReader(byte[] data, int from, int end) {
        this.data = data;
        this.at = from;
        this.end = end;
    }

    /// The position after what was read.
    public int position() {
        return at;
    }

    public int fieldId() {
        return fieldId;
    }

    public void beginStruct() {
        require(STRUCT);
        enter();
        fieldId = 0;
    }

    private void enter() {
        if (depth == DEEPEST) {
            throw new MalformedParquet("its metadata is nested more than " + DEEPEST + " deep");
        }
        outer[depth++] = fieldId;
    }

    /// Advances to the next field; false at the end of the struct.
    public boolean nextField() {
        int header = next();
        if (header == STOP) {
            fieldId = outer[--depth];
            return false;
        }
        type = header & 0xF;
        int delta = header >>> 4;
        fieldId = delta == 0 ? (int) zigzag() : fieldId + delta;
        if (isNumber()) {
            readNumber();
        }
        return true;
    }

    /// Reads a struct: for each field with a number below the arrays' length its type, and its value if it is a number,
    /// otherwise its position. The code that reads the fields of all structs is compiled once; a loop with a `switch`
    /// for each kind of struct takes the compiler half a second.
    void fields(byte[] types, long[] values) {
        beginStruct();
        while (nextField()) {
            int field = fieldId;
            int kind = type;
            long value = at;
            if (isNumber(kind)) {
                value = number;
            } else {
                skip();
            }
            if (field >= 0 && field < types.length) {
                types[field] = (byte) kind;
                values[field] = value;
            }
        }
    }

    /// Reads a struct like [#fields], together with its inner structs: field `i` of the struct in field `f` is at
    /// `f * INNER + i`. Fields of inner structs numbered [#INNER] and above are skipped.
    void nestedFields(byte[] types, long[] values) {
        beginStruct();
        int base = 0;
        while (true) {
            if (!nextField()) {
                if (base == 0) {
                    return;
                }
                base = 0;
                continue;
            }
            int field = fieldId;
            int kind = type;
            boolean known = field > 0 && field < INNER;
            if (kind == STRUCT && base == 0 && known && field * INNER < types.length) {
                beginStruct();
                base = field * INNER;
                continue;
            }
            long value = number;
            if (!isNumber(kind)) {
                skip();
            }
            if (known) {
                types[base + field] = (byte) kind;
                values[base + field] = value;
            }
        }
    }

    /// Returns to the position after what was read, after [#moveTo(int, int)].
    void moveTo(int place) {
        at = place;
    }

    /// Moves back to a value of this type.
    void moveTo(int place, int valueType) {
        at = place;
        type = valueType;
    }

    /// The number of elements, each of which takes at least one byte.
    private int beginList() {
        require(LIST);
        int header = next();
        long size = header >>> 4 & 0xFL;
        if (size == 15) {
            size = varint();
        }
        if (size < 0 || size > end - at) {
            throw new MalformedParquet("a list of " + size + " elements in " + (end - at) + " bytes of metadata");
        }
        type = header & 0xF;
        return (int) size;
    }

    /// A list of structs, each read by `one`.
    public <T> List<T> structs(Function<ThriftReader, T> one) {
        int size = beginList();
        if (size > 0) {
            require(STRUCT);
        }
        List<T> all = new ArrayList<>(Math.min(size, 1024));
        for (int i = 0; i < size; i++) {
            type = STRUCT;
            all.add(one.apply(this));
        }
        return all;
    }

    /// A list of numbers.
    public long[] numbers() {
        long[] all = new long[beginList()];
        int element = type;
        for (int i = 0; i < all.length; i++) {
            type = element;
            all[i] = isNumber() ? readNumber() : i64();
        }
        return all;
    }

    /// A list of byte strings.
    public byte[][] binaries() {
        byte[][] all = new byte[beginList()][];
        int element = type;
        for (int i = 0; i < all.length; i++) {
            type = element;
            all[i] = binary();
        }
        return all;
    }

    public boolean bool() {
        return bool(type);
    }

    static boolean bool(int type) {
        if (type == TRUE || type == FALSE) {
            return type == TRUE;
        }
        throw new MalformedParquet("a boolean was expected in the metadata, not type " + type);
    }

    public int i32() {
        return narrow(i64());
    }

    static int narrow(long value) {
        if (value != (int) value) {
            throw new MalformedParquet("the number " + value + " in the metadata does not fit 32 bits");
        }
        return (int) value;
    }

    public long i64() {
        if (!isNumber()) {
            throw noNumber(type);
        }
        return number;
    }

    static MalformedParquet noNumber(int type) {
        return new MalformedParquet("a number was expected in the metadata, not type " + type);
    }

    private long readNumber() {
        number = type == BYTE ? (byte) next() : zigzag();
        return number;
    }

    /// Whether the next value can be read by [#i32] or [#i64]; if it is a boolean instead, it has no bytes.
    public boolean isNumber() {
        return isNumber(type);
    }

    static boolean isNumber(int type) {
        return type >= BYTE && type <= I64;
    }

    public byte[] binary() {
        require(BINARY);
        int length = length();
        at += length;
        return Arrays.copyOfRange(data, at - length, at);
    }

    public String string() {
        require(BINARY);
        int length = length();
        at += length;
        return new String(data, at - length, length, StandardCharsets.UTF_8);
    }

    public void skip() {
        switch (type) {
            case TRUE, FALSE, BYTE, I16, I32, I64 -> {}
            case DOUBLE -> advance(8);
            case BINARY -> advance(length());
            case LIST, SET -> {
                enter();
                skipList();
                depth--;
            }
            case MAP -> {
                enter();
                skipMap();
                depth--;
            }
            case STRUCT -> {
                beginStruct();
                while (nextField()) {
                    skip();
                }
            }
            default -> throw new MalformedParquet("type " + type + " does not exist in the metadata");
        }
    }

    private void skipList() {
        type = LIST;
        int size = beginList();
        int element = type;
        for (int i = 0; i < size; i++) {
            skipElement(element);
        }
    }

    private void skipElement(int element) {
        type = element;
        if (element == TRUE || element == FALSE) {
            advance(1);
        } else if (isNumber()) {
            readNumber();
        } else {
            skip();
        }
    }

    private void skipMap() {
        long size = varint();
        if (size == 0) {
            return;
        }
        int types = next();
        if (size < 0 || size > end - at) {
            throw new MalformedParquet("a map of " + size + " entries in " + (end - at) + " bytes of metadata");
        }
        for (long i = 0; i < size; i++) {
            skipElement(types >>> 4);
            skipElement(types & 0xF);
        }
    }

    /// A list of booleans, one byte each.
    public boolean[] booleans() {
        boolean[] values = new boolean[beginList()];
        for (int i = 0; i < values.length; i++) {
            values[i] = next() == TRUE;
        }
        return values;
    }

    private void require(int wanted) {
        if (type != wanted) {
            throw new MalformedParquet("type " + type + " stands in the metadata where " + wanted + " was expected");
        }
    }

    private int length() {
        long length = varint();
        if (length < 0 || length > end - at) {
            throw new MalformedParquet("a value of " + length + " bytes in " + (end - at) + " bytes of metadata");
        }
        return (int) length;
    }

    private void advance(int bytes) {
        if (bytes > end - at) {
            throw new MalformedParquet("the metadata ends in the middle of a value");
        }
        at += bytes;
    }

    private int next() {
        if (at >= end) {
            throw new MalformedParquet("the metadata ends in the middle of a value");
        }
        return data[at++] & 0xFF;
    }

    private long varint() {
        int first = next();
        return first < 0x80 ? first : longVarint(first & 0x7F);
    }

    private long longVarint(int lowest) {
        long value = lowest;
        for (int shift = 7; shift < 70; shift += 7) {
            int b = next();
            value |= (long) (b & 0x7F) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw new MalformedParquet("a number in the metadata has more than ten bytes");
    }

    private long zigzag() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }
}

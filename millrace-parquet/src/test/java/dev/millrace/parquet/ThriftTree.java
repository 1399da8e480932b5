package dev.millrace.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Metadata in Thrift's compact protocol as a tree that can be changed and written again, whatever it says: numbers are
/// Long, byte strings byte[], structs [Struct], lists [Items]. Sets, maps and doubles do not occur in Parquet.
final class ThriftTree {
    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int BYTE = 3;
    static final int I32 = 5;
    static final int I64 = 6;
    static final int BINARY = 8;
    private static final int LIST = 9;
    static final int STRUCT = 12;

    private final byte[] data;
    private int at;

    private ThriftTree(byte[] data, int at) {
        this.data = data;
        this.at = at;
    }

    record Value(int type, Object value) {}

    record Items(int type, List<Object> values) {
        Struct struct(int index) {
            return (Struct) values.get(index);
        }
    }

    /// Fields by their number.
    record Struct(Map<Integer, Value> fields) {
        Struct() {
            this(new TreeMap<>());
        }

        boolean has(int field) {
            return fields.containsKey(field);
        }

        Object get(int field) {
            Value value = fields.get(field);
            return value == null ? null : value.value();
        }

        Struct struct(int field) {
            return (Struct) get(field);
        }

        Items list(int field) {
            return (Items) get(field);
        }

        long number(int field) {
            return (Long) get(field);
        }

        String text(int field) {
            return new String((byte[]) get(field), StandardCharsets.UTF_8);
        }

        Struct set(int field, int type, Object value) {
            fields.put(field, new Value(type, value));
            return this;
        }

        Struct number(int field, long value) {
            return set(field, has(field) ? fields.get(field).type() : I64, value);
        }

        Struct bytes(int field, byte[] value) {
            return set(field, BINARY, value);
        }

        Struct list(int field, int type, List<Object> values) {
            return set(field, LIST, new Items(type, values));
        }

        Struct remove(int field) {
            fields.remove(field);
            return this;
        }

        byte[] encoded() {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            write(STRUCT, this, out);
            return out.toByteArray();
        }
    }

    static Struct read(byte[] data, long from) {
        return new ThriftTree(data, (int) from).struct();
    }

    private Struct struct() {
        Struct struct = new Struct();
        int id = 0;
        while (true) {
            int header = data[at++] & 0xFF;
            if (header == 0) {
                return struct;
            }
            id = header >>> 4 == 0 ? (int) zigzag() : id + (header >>> 4);
            int type = header & 0xF;
            struct.fields.put(
                    id, type == TRUE || type == FALSE ? new Value(TRUE, type == TRUE) : new Value(type, value(type)));
        }
    }

    private Object value(int type) {
        return switch (type) {
            case TRUE, FALSE -> data[at++] == TRUE;
            case BYTE -> (long) data[at++];
            case 4, I32, I64 -> zigzag();
            case BINARY -> {
                int length = (int) varint();
                at += length;
                yield java.util.Arrays.copyOfRange(data, at - length, at);
            }
            case LIST -> {
                int header = data[at++] & 0xFF;
                long size = header >>> 4 == 15 ? varint() : header >>> 4;
                List<Object> values = new ArrayList<>();
                for (long i = 0; i < size; i++) {
                    values.add(value(header & 0xF));
                }
                yield new Items(header & 0xF, values);
            }
            case STRUCT -> struct();
            default -> throw new IllegalStateException("type " + type);
        };
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            int b = data[at++];
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }

    private long zigzag() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    private static void write(int type, Object value, ByteArrayOutputStream out) {
        switch (value) {
            case Boolean flag -> out.write(flag ? TRUE : FALSE);
            case Long number when type == BYTE -> out.write(number.intValue());
            case Long number -> varint(number << 1 ^ number >> 63, out);
            case byte[] bytes -> {
                varint(bytes.length, out);
                out.writeBytes(bytes);
            }
            case Items(int element, List<Object> values) -> {
                int size = values.size();
                out.write(Math.min(size, 15) << 4 | element);
                if (size >= 15) {
                    varint(size, out);
                }
                values.forEach(one -> write(element, one, out));
            }
            case Struct struct -> {
                struct.fields.forEach((id, field) -> {
                    out.write(field.value() instanceof Boolean flag ? flag ? TRUE : FALSE : field.type());
                    varint((long) id << 1 ^ id >> 31, out);
                    if (!(field.value() instanceof Boolean)) {
                        write(field.type(), field.value(), out);
                    }
                });
                out.write(0);
            }
            default -> throw new IllegalArgumentException("no Thrift: " + value);
        }
    }

    private static void varint(long value, ByteArrayOutputStream out) {
        long left = value;
        for (; (left & ~0x7FL) != 0; left >>>= 7) {
            out.write((int) (left & 0x7F | 0x80));
        }
        out.write((int) left);
    }
}

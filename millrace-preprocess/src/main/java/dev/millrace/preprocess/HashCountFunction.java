package dev.millrace.preprocess;

import dev.millrace.column.Column;
import dev.millrace.column.ListColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/// How often each hash is among the texts of a list: a fixed list of int64.
///
/// @param features the width: a text counts at its SHA-256, a number of 256 bits, modulo this
record HashCountFunction(int features) implements ColumnFunction {
    @Override
    public String text(List<String> arguments) {
        return "hashCount(" + arguments.getFirst() + ", " + features + ")";
    }

    @Override
    public DataType.FixedList type(List<DataType> arguments) {
        if (!arguments.getFirst().equals(DataType.list(DataType.UTF8))) {
            throw MillraceException.user(
                    "hashCount: lists of texts are needed, but a column is " + arguments.getFirst() + ".");
        }
        return DataType.fixedList(DataType.INT64, features);
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        ListColumn lists = (ListColumn) arguments.getFirst();
        StringColumn texts = (StringColumn) lists.elements();
        int[] places = new int[Math.toIntExact(texts.length())];
        MessageDigest digest = sha256();
        for (int i = 0; i < places.length; i++) {
            if (texts.isNull(i)) {
                places[i] = -1;
                continue;
            }
            digest.update(texts.bytes(i).asByteBuffer());
            places[i] = place(digest.digest(), features);
        }
        return CountFunction.counted(lists, places, features, allocator);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// A big-endian number modulo another.
    static int place(byte[] number, int modulus) {
        long rest = 0;
        for (byte each : number) {
            rest = (rest << Byte.SIZE | Byte.toUnsignedInt(each)) % modulus;
        }
        return (int) rest;
    }
}

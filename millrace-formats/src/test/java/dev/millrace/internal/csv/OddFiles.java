package dev.millrace.internal.csv;

import dev.millrace.source.ReadCsv;
import dev.millrace.type.DataType;
import java.util.List;
import java.util.Random;

/// CSV files of random texts, quotes and line ends.
final class OddFiles {
    private OddFiles() {}

    /// Fields of all kinds, quoted or not, some of them odd.
    private static String field(Random random, boolean odd, char quote) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(6);
        boolean quoted = random.nextInt(3) == 0;
        String plain = odd ? "ab1 " + quote : "ab1 é";
        String all = "ab1,\n\r" + quote + " ";
        for (int i = 0; i < length; i++) {
            String from = quoted ? all : plain;
            char next = from.charAt(random.nextInt(from.length()));
            text.append(next == quote && quoted ? "" + quote + quote : next == quote && text.isEmpty() ? 'x' : next);
        }
        return quoted ? quote + text.toString() + quote + (odd && random.nextInt(5) == 0 ? "z" : "") : text.toString();
    }

    /// @param odd some quotes stand where they should not
    static byte[] file(Random random, int rows, int columns, boolean odd, char quote) {
        StringBuilder text = new StringBuilder();
        String end = List.of("\n", "\r\n", "\r").get(random.nextInt(3));
        for (int i = 0; i < columns; i++) {
            text.append(i == 0 ? "" : ",").append('c').append(i);
        }
        for (int row = 0; row < rows; row++) {
            text.append(end).append(random.nextInt(10) == 0 ? end : "");
            for (int i = 0; i < columns; i++) {
                text.append(i == 0 ? "" : ",").append(field(random, odd, quote));
            }
        }
        return CsvText.bytes(random.nextBoolean() ? text + end : text.toString());
    }

    /// Reads all columns as texts, and tells empty ones from nulls.
    static ReadCsv text(int columns) {
        ReadCsv options = ReadCsv.defaults().keepQuoted();
        for (int i = 0; i < columns; i++) {
            options = options.column("c" + i, DataType.UTF8);
        }
        return options;
    }
}

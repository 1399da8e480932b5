package dev.millrace.internal.numpy;

import dev.millrace.internal.binary.FeedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/// The header of an `.npy` file.
///
/// @param columnMajor the elements are in Fortran order
/// @param dataStart the position of the first element
record NpyHeader(NumpyType type, boolean columnMajor, long[] shape, long dataStart) {
    static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int MAX_TEXT = 1 << 20;
    private static final int MAX_DIMENSIONS = 64;
    /// The maximum number of zero-byte rows: a count of these is not bounded by the size of the file.
    private static final long MAX_EMPTY_ROWS = 1 << 20;

    /// Reads the header, and checks that the file can contain the declared array.
    static NpyHeader read(FeedReader in) throws IOException {
        String what = "the header of a NumPy array";
        long start = in.position();
        byte[] fixed = in.bytes(MAGIC.length + 2, what);
        if (!Arrays.equals(fixed, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw in.malformed(start, "this is no NumPy file: it does not begin with \\x93NUMPY");
        }
        int version = fixed[MAGIC.length];
        if (version < 1 || version > 3) {
            throw in.malformed(start + MAGIC.length, "version " + version + " of the NumPy format is not known");
        }
        int lengthBytes = version == 1 ? 2 : 4;
        ByteBuffer number = ByteBuffer.wrap(in.bytes(lengthBytes, what)).order(ByteOrder.LITTLE_ENDIAN);
        long length = version == 1 ? number.getShort() & 0xFFFF : number.getInt() & 0xFFFFFFFFL;
        if (length > MAX_TEXT) {
            throw in.malformed("a header of " + length + " bytes is longer than any array needs");
        }
        long textStart = in.position();
        String text = new String(
                in.bytes((int) length, what), version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
        HeaderText.Parts parsed;
        try {
            parsed = HeaderText.parse(text);
        } catch (IllegalArgumentException e) {
            throw in.malformed(textStart, "the header cannot be read: " + e.getMessage());
        }
        NumpyType type = parsed.descr() == null ? null : NumpyType.parse(parsed.descr());
        if (type == null) {
            throw in.malformed(
                    textStart,
                    "arrays of type " + parsed.descrText()
                            + " have no column type here. Numbers, booleans, text, bytes,"
                            + " dates, times and durations have");
        }
        NpyHeader header = new NpyHeader(type, parsed.columnMajor(), parsed.shape(), in.position());
        header.check(in, textStart);
        return header;
    }

    private void check(FeedReader in, long textStart) throws IOException {
        boolean fits = shape.length <= MAX_DIMENSIONS
                && Arrays.stream(shape).allMatch(size -> size >= 0)
                && Arrays.stream(shape).skip(1).allMatch(size -> size <= Integer.MAX_VALUE);
        long bytes = 0;
        if (fits) {
            try {
                // A dimension of 0 must not hide an overflow of the others.
                long product = type.bytes();
                for (long size : shape) {
                    product = Math.multiplyExact(product, Math.max(1, size));
                }
                bytes = Math.multiplyExact(rows(), rowBytes());
                fits = rowBytes() <= Integer.MAX_VALUE && (rowBytes() > 0 || rows() <= MAX_EMPTY_ROWS);
            } catch (ArithmeticException e) {
                fits = false;
            }
        }
        if (!fits) {
            throw in.malformed(textStart, "an array of shape " + shapeText() + " cannot be read");
        }
        if (in.size() != Long.MAX_VALUE && dataStart + bytes > in.size()) {
            throw in.malformed(
                    dataStart,
                    "the file is cut off: an array of shape " + shapeText() + " and type " + type + " has " + bytes
                            + " bytes, and " + (in.size() - dataStart) + " are there");
        }
    }

    /// The number of rows; an array without dimensions is one row.
    long rows() {
        return shape.length == 0 ? 1 : shape[0];
    }

    int[] rowShape() {
        return shape.length == 0
                ? new int[0]
                : Arrays.stream(shape).skip(1).mapToInt(size -> (int) size).toArray();
    }

    /// The number of elements in a row.
    long rowElements() {
        long elements = 1;
        for (int i = 1; i < shape.length; i++) {
            elements = Math.multiplyExact(elements, shape[i]);
        }
        return elements;
    }

    long rowBytes() {
        return Math.multiplyExact(rowElements(), (long) type.bytes());
    }

    /// True if the file is row-major.
    boolean isByRows() {
        return !columnMajor || shape.length < 2;
    }

    String shapeText() {
        return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", ", "(", ")"));
    }

    /// A header of version 1.0 for row-major data, padded like NumPy's: to a multiple of 64 bytes.
    static byte[] write(NumpyType type, long rows, int[] rowShape) {
        String shape = rows
                + (rowShape.length == 0
                        ? ","
                        : Arrays.stream(rowShape).mapToObj(size -> ", " + size).collect(Collectors.joining()));
        String text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
        int length = (MAGIC.length + 4 + text.length() + 1 + 63) / 64 * 64;
        ByteBuffer header = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (length - MAGIC.length - 4));
        header.put(text.getBytes(StandardCharsets.US_ASCII));
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        header.put((byte) '\n');
        return header.array();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NpyHeader header
                && header.type.equals(type)
                && header.columnMajor == columnMajor
                && Arrays.equals(header.shape, shape)
                && header.dataStart == dataStart;
    }

    @Override
    public int hashCode() {
        return 31 * type.hashCode() + Arrays.hashCode(shape);
    }

    @Override
    public String toString() {
        return type + shapeText();
    }
}

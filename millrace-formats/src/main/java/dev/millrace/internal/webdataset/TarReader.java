package dev.millrace.internal.webdataset;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.binary.FeedReader;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Iterates over the regular files in a tar archive: ustar, pax and GNU headers. Contents are not read unless the
/// caller reads them from [#in].
final class TarReader implements AutoCloseable {
    static final int BLOCK = 512;
    /// Names and pax headers of any legitimate archive are shorter than this.
    private static final long MAX_META = 1 << 20;

    private static final long EVEN_BYTES = 0x00FF_00FF_00FF_00FFL;

    private static final int NAME = 0;
    private static final int NAME_BYTES = 100;
    private static final int SIZE = 124;
    private static final int SIZE_BYTES = 12;
    private static final int CHECKSUM = 148;
    private static final int CHECKSUM_BYTES = 8;
    private static final int TYPE = 156;
    private static final int MAGIC = 257;
    private static final int PREFIX = 345;
    private static final int PREFIX_BYTES = 155;

    private final FeedReader in;
    private byte[] name = new byte[512];
    private int nameLength;
    private long size;
    /// The position of the next header.
    private long nextHeader;
    /// Set by extended headers before the member's own; null or -1 if absent.
    private byte @Nullable [] longName;

    private long longSize = -1;

    TarReader(FileRange range, Allocator allocator) throws IOException {
        this.in = FeedReader.of(range, allocator);
    }

    FeedReader in() {
        return in;
    }

    /// Advances to the contents of the next regular file.
    ///
    /// @return false at the end of the archive
    boolean next() throws IOException {
        while (true) {
            toNextHeader();
            if (in.atEnd()) {
                throw in.malformed(
                        nextHeader == 0
                                ? "this is no tar archive: the file is empty"
                                : "the archive is cut off: it ends without the empty blocks that end an archive");
            }
            in.require(BLOCK, "a header");
            if (isZero()) {
                return false;
            }
            checkSum();
            byte type = in.window().get(JAVA_BYTE, in.at() + TYPE);
            size = number(SIZE, SIZE_BYTES);
            long headerAt = in.position();
            switch (type) {
                case 'L' -> longName = trimmed(meta());
                case 'K', 'V', 'g' -> {
                    // A long link name, a volume label or a global header: not needed.
                    in.advance(BLOCK);
                    end(size);
                }
                case 'x', 'X' -> pax(meta());
                case 'S' -> throw in.malformed(headerAt, "a sparse file cannot be read from an archive");
                default -> {
                    readName();
                    if (longSize >= 0) {
                        size = longSize;
                    }
                    longName = null;
                    longSize = -1;
                    in.advance(BLOCK);
                    boolean regular = (type == '0' || type == 0 || type == '7')
                            && (nameLength == 0 || name[nameLength - 1] != '/');
                    // Links, folders and devices have no contents, whatever their size says.
                    end(regular || type < '1' || type > '6' ? size : 0);
                    if (regular) {
                        return true;
                    }
                }
            }
        }
    }

    private void toNextHeader() throws IOException {
        long left = nextHeader - in.position();
        if (left <= in.available()) {
            in.advance(left);
        } else {
            in.skip(left, "'" + nameText() + "'");
        }
    }

    /// Records the end of the member that begins here and has `bytes` bytes.
    private void end(long bytes) {
        long padded = (bytes + BLOCK - 1) / BLOCK * BLOCK;
        if (bytes < 0 || padded < 0 || in.position() + padded < 0) {
            throw in.malformed("a member of " + bytes + " bytes cannot be read");
        }
        nextHeader = in.position() + padded;
    }

    /// The contents of an extended header, which applies to the next member.
    private byte[] meta() throws IOException {
        if (size < 0 || size > MAX_META) {
            throw in.malformed("a header of " + size + " bytes is longer than any name needs");
        }
        in.advance(BLOCK);
        end(size);
        return in.bytes((int) size, "a header");
    }

    private static byte[] trimmed(byte[] text) {
        int length = 0;
        while (length < text.length && text[length] != 0) {
            length++;
        }
        return java.util.Arrays.copyOf(text, length);
    }

    /// Records of the form "LENGTH KEY=VALUE\n".
    private void pax(byte[] records) {
        int at = 0;
        while (at < records.length) {
            int start = at;
            long length = 0;
            while (at < records.length && records[at] >= '0' && records[at] <= '9' && length < MAX_META) {
                length = length * 10 + records[at++] - '0';
            }
            if (at >= records.length
                    || records[at] != ' '
                    || length <= at - start + 1
                    || start + length > records.length) {
                throw in.malformed("a pax header cannot be read");
            }
            int end = (int) (start + length - 1);
            int equals = at + 1;
            while (equals < end && records[equals] != '=') {
                equals++;
            }
            String key = new String(records, at + 1, equals - at - 1, StandardCharsets.US_ASCII);
            int from = Math.min(equals + 1, end);
            switch (key) {
                case "path" -> longName = java.util.Arrays.copyOfRange(records, from, end);
                case "size" -> longSize = paxNumber(new String(records, from, end - from, StandardCharsets.US_ASCII));
                default -> {
                    if (key.startsWith("GNU.sparse")) {
                        throw in.malformed("a sparse file cannot be read from an archive");
                    }
                }
            }
            at = (int) (start + length);
        }
    }

    private long paxNumber(String text) {
        try {
            long value = Long.parseLong(text);
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw in.malformed("a pax header has the size '" + text + "'");
    }

    private boolean isZero() {
        MemorySegment window = in.window();
        long at = in.at();
        for (int i = 0; i < BLOCK; i++) {
            if (window.get(JAVA_BYTE, at + i) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Verifies the sum of the header's bytes, with its own field taken as spaces; some old programs added signed
    /// bytes.
    private void checkSum() {
        MemorySegment window = in.window();
        long at = in.at();
        // Four sums side by side, each at most 64 * 510.
        long sums = 0;
        for (int i = 0; i < BLOCK; i += Long.BYTES) {
            long word = window.get(JAVA_LONG_UNALIGNED, at + i);
            sums += (word & EVEN_BYTES) + (word >>> 8 & EVEN_BYTES);
        }
        long sum = (sums & 0xFFFF) + (sums >>> 16 & 0xFFFF) + (sums >>> 32 & 0xFFFF) + (sums >>> 48);
        for (int i = CHECKSUM; i < CHECKSUM + CHECKSUM_BYTES; i++) {
            sum += ' ' - (window.get(JAVA_BYTE, at + i) & 0xFF);
        }
        long said = number(CHECKSUM, CHECKSUM_BYTES);
        if (said != sum && said != signedSum()) {
            throw in.malformed(
                    nextHeader == 0
                            ? "this is no tar archive: the checksum of its first header is wrong"
                            : "the checksum of a header is wrong");
        }
    }

    private long signedSum() {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += i >= CHECKSUM && i < CHECKSUM + CHECKSUM_BYTES
                    ? ' '
                    : in.window().get(JAVA_BYTE, in.at() + i);
        }
        return sum;
    }

    /// Octal digits, or a binary number if the first bit is set.
    private long number(int field, int length) {
        MemorySegment window = in.window();
        long at = in.at() + field;
        byte first = window.get(JAVA_BYTE, at);
        if (first < 0) {
            long value = first == (byte) 0x80 ? 0 : -1;
            for (int i = 1; i < length; i++) {
                if (value >>> 55 != 0) {
                    throw in.malformed("a header has a size that cannot be read");
                }
                value = value << 8 | window.get(JAVA_BYTE, at + i) & 0xFF;
            }
            return value;
        }
        long value = 0;
        boolean digits = false;
        for (int i = 0; i < length; i++) {
            byte c = window.get(JAVA_BYTE, at + i);
            if (c >= '0' && c <= '7') {
                value = value << 3 | c - '0';
                digits = true;
            } else if (c == 0 || c == ' ' && digits) {
                break;
            } else if (c != ' ') {
                throw in.malformed(
                        nextHeader == 0
                                ? "this is no tar archive: its first header has a number that is none"
                                : "a header has a number that is none");
            }
        }
        return value;
    }

    private void readName() {
        if (longName != null) {
            name = longName.length > name.length ? longName.clone() : name;
            System.arraycopy(longName, 0, name, 0, longName.length);
            nameLength = longName.length;
            return;
        }
        nameLength = 0;
        MemorySegment window = in.window();
        // GNU headers have other fields where ustar has the prefix of a long name.
        if (window.get(JAVA_BYTE, in.at() + MAGIC) == 'u' && window.get(JAVA_BYTE, in.at() + MAGIC + 5) == 0) {
            append(PREFIX, PREFIX_BYTES);
            if (nameLength > 0) {
                name[nameLength++] = '/';
            }
        }
        append(NAME, NAME_BYTES);
    }

    private void append(int field, int length) {
        MemorySegment window = in.window();
        long at = in.at() + field;
        for (int i = 0; i < length; i++) {
            byte c = window.get(JAVA_BYTE, at + i);
            if (c == 0) {
                return;
            }
            name[nameLength++] = c;
        }
    }

    /// The member's name in its first [#nameLength] bytes; valid until [#next].
    byte[] name() {
        return name;
    }

    int nameLength() {
        return nameLength;
    }

    String nameText() {
        return new String(name, 0, nameLength, StandardCharsets.UTF_8);
    }

    /// The size of the member.
    long size() {
        return size;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

package dev.millrace.internal.tfrecord;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.binary.FeedReader;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Iterates over the records of a TFRecord file; each is in memory as a whole until the next one is read.
final class TfRecordReader implements AutoCloseable {
    private static final int LENGTH_BYTES = 8;
    private static final int CRC_BYTES = 4;
    private static final long MAX_BYTES = Integer.MAX_VALUE - 64;

    private final FeedReader in;
    private final MaskedCrc crc = new MaskedCrc();
    private long number = -1;
    private long length = -1;

    TfRecordReader(FileRange range, Allocator allocator) throws IOException {
        this.in = FeedReader.of(range, allocator);
    }

    /// @return false at the end of the file
    boolean next() throws IOException {
        if (length >= 0) {
            in.advance(length + CRC_BYTES);
            length = -1;
        }
        if (in.atEnd()) {
            return false;
        }
        number++;
        String what = "record " + number;
        in.require(LENGTH_BYTES + CRC_BYTES, what);
        long claimed = in.window().get(JAVA_LONG_UNALIGNED, in.at());
        if (crc.of(in.window(), in.at(), LENGTH_BYTES) != in.window().get(JAVA_INT_UNALIGNED, in.at() + LENGTH_BYTES)) {
            throw in.malformed(
                    number == 0
                            ? "this is no TFRecord file: the checksum of the first record's length is wrong"
                            : "the checksum of the length of record " + number + " is wrong");
        }
        if (claimed < 0 || claimed > MAX_BYTES) {
            throw in.malformed(
                    "record " + number + " has " + Long.toUnsignedString(claimed) + " bytes, more than can be read");
        }
        in.advance(LENGTH_BYTES + CRC_BYTES);
        in.require(claimed + CRC_BYTES, what);
        if (crc.of(in.window(), in.at(), claimed) != in.window().get(JAVA_INT_UNALIGNED, in.at() + claimed)) {
            throw in.malformed("the checksum of record " + number + " is wrong");
        }
        length = claimed;
        return true;
    }

    /// The memory of the record: from [#start], [#length] bytes.
    MemorySegment memory() {
        return in.window();
    }

    long start() {
        return in.at();
    }

    long length() {
        return length;
    }

    /// The record number, from 0.
    long number() {
        return number;
    }

    FeedReader in() {
        return in;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

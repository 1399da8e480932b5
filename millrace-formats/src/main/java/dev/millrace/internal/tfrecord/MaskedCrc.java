package dev.millrace.internal.tfrecord;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// The checksum of TFRecord files: a masked CRC-32C, rotated and offset so that it does not look like a CRC itself.
final class MaskedCrc {
    private static final int DELTA = 0xA282EAD8;

    private final CRC32C crc = new CRC32C();

    int of(MemorySegment bytes, long from, long count) {
        crc.reset();
        crc.update(bytes.asSlice(from, count).asByteBuffer());
        int value = (int) crc.getValue();
        return (value >>> 15 | value << 17) + DELTA;
    }
}

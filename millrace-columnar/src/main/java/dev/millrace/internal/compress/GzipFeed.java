package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Decodes the concatenated members of a gzip file and verifies the checksum and length of each. Zeros after the last
/// one are padding.
final class GzipFeed implements ByteFeed {
    private static final int MAGIC = 0x8B1F;
    private static final int DEFLATE = 8;
    private static final int HEADER_CHECKSUM = 1 << 1;
    private static final int EXTRA = 1 << 2;
    private static final int NAME = 1 << 3;
    private static final int COMMENT = 1 << 4;
    private static final int RESERVED = 0xE0;

    private final CompressedInput in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private boolean inMember;
    private boolean hasMembers;
    private long memberBytes;

    GzipFeed(CompressedInput in) {
        this.in = in;
    }

    @Override
    public int read(MemorySegment target) throws IOException {
        if (target.byteSize() == 0) {
            return 0;
        }
        ByteBuffer out = target.asSlice(0, Math.min(target.byteSize(), 1 << 30)).asByteBuffer();
        while (true) {
            if (!inMember && !beginMember()) {
                return -1;
            }
            if (in.available() == 0 && !in.fill(1)) {
                throw in.truncated();
            }
            int count = inflate(out);
            if (inflater.finished()) {
                endMember();
            }
            if (count > 0) {
                return count;
            }
        }
    }

    private int inflate(ByteBuffer out) {
        int before = in.available();
        inflater.setInput(in.memory().asSlice(in.position(), before).asByteBuffer());
        int count;
        try {
            count = inflater.inflate(out);
        } catch (DataFormatException e) {
            throw in.corrupt(e.getMessage() == null ? "the deflated data does not make sense" : e.getMessage(), e);
        }
        if (inflater.needsDictionary()) {
            throw in.corrupt("it needs a dictionary");
        }
        in.consume(before - inflater.getRemaining());
        checksum.update(out.duplicate().flip());
        memberBytes += count;
        in.produced(count);
        return count;
    }

    private boolean beginMember() throws IOException {
        if (hasMembers) {
            while (in.fill(1) && in.memory().get(JAVA_BYTE, in.position()) == 0) {
                in.consume(1);
            }
        }
        if (!in.fill(1)) {
            if (!hasMembers) {
                throw in.truncated();
            }
            return false;
        }
        if (in.readLittleEndian(2) != MAGIC) {
            throw in.corrupt(hasMembers ? "what follows is no gzip member" : "it does not begin as gzip files do");
        }
        int method = in.readByte();
        int flags = in.readByte();
        if (method != DEFLATE || (flags & RESERVED) != 0) {
            throw in.corrupt("its header has method " + method + " and flags " + flags);
        }
        in.readLittleEndian(6);
        if ((flags & EXTRA) != 0) {
            for (long left = in.readLittleEndian(2); left > 0; left--) {
                in.readByte();
            }
        }
        for (int text = flags & (NAME | COMMENT); text != 0; text &= text - 1) {
            while (in.readByte() != 0) {}
        }
        if ((flags & HEADER_CHECKSUM) != 0) {
            in.readLittleEndian(2);
        }
        inflater.reset();
        checksum.reset();
        memberBytes = 0;
        inMember = true;
        hasMembers = true;
        return true;
    }

    private void endMember() throws IOException {
        inMember = false;
        if (in.readLittleEndian(4) != checksum.getValue()) {
            throw in.corrupt("the checksum does not match");
        }
        if (in.readLittleEndian(4) != (memberBytes & 0xFFFFFFFFL)) {
            throw in.corrupt("the length does not match");
        }
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}

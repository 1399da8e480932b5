package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Decodes the frames of an LZ4 file one block at a time and verifies their checksums. The two working arrays of up to
/// 4 MiB are on the heap, because [Lz4Block] works on arrays.
final class Lz4Feed implements ByteFeed {
    private final CompressedInput in;
    private byte[] packed = new byte[0];
    /// The last 64 KiB before the block, to which it may refer, followed by the block.
    private byte[] plain = new byte[0];

    private boolean hasFrames;
    private boolean inFrame;
    private int blockBytes;
    private boolean independent;
    private boolean blockChecksums;
    private @Nullable XxHash32 checksum;
    private long expected;
    private long frameBytes;
    private int at;
    private int end;

    Lz4Feed(CompressedInput in) {
        this.in = in;
    }

    @Override
    public int read(MemorySegment target) throws IOException {
        if (target.byteSize() == 0) {
            return 0;
        }
        while (at == end) {
            if (!inFrame && !beginFrame()) {
                return -1;
            }
            nextBlock();
        }
        int count = (int) Math.min(target.byteSize(), end - at);
        MemorySegment.copy(plain, at, target, JAVA_BYTE, 0, count);
        at += count;
        return count;
    }

    private boolean beginFrame() throws IOException {
        while (in.fill(1)) {
            int magic = (int) in.readLittleEndian(4);
            if (magic == Lz4Frame.MAGIC) {
                readHeader();
                return true;
            }
            if ((magic & ~0xF) != Lz4Frame.SKIPPABLE_MAGIC) {
                throw in.corrupt(hasFrames ? "what follows is no LZ4 frame" : "it does not begin as LZ4 frames do");
            }
            for (long left = in.readLittleEndian(4); left > 0; ) {
                if (!in.fill(1)) {
                    throw in.truncated();
                }
                long count = Math.min(left, in.available());
                in.consume(count);
                left -= count;
            }
            hasFrames = true;
        }
        if (!hasFrames) {
            throw in.truncated();
        }
        return false;
    }

    private void readHeader() throws IOException {
        byte[] header = new byte[14];
        in.readFully(header, 2);
        int flags = header[0];
        int sizeCode = header[1] >>> 4 & 7;
        if ((flags & 0xC0) != Lz4Frame.VERSION || (flags & Lz4Frame.DICTIONARY_ID) != 0 || sizeCode < 4) {
            throw in.corrupt(
                    (flags & Lz4Frame.DICTIONARY_ID) != 0
                            ? "it needs a dictionary"
                            : "its header has flags " + (flags & 0xFF) + " and block size " + sizeCode);
        }
        int length = 2;
        expected = -1;
        if ((flags & Lz4Frame.CONTENT_SIZE) != 0) {
            for (int i = 0; i < 8; i++) {
                header[length++] = (byte) in.readByte();
            }
            expected = MemorySegment.ofArray(header).get(Lz4Frame.LONG, 2);
        }
        if (in.readByte() != (new XxHash32().update(header, 0, length).value() >>> 8 & 0xFF)) {
            throw in.corrupt("the checksum of its header does not match");
        }
        blockBytes = 1 << 8 + 2 * sizeCode;
        independent = (flags & Lz4Frame.INDEPENDENT) != 0;
        blockChecksums = (flags & Lz4Frame.BLOCK_CHECKSUM) != 0;
        checksum = (flags & Lz4Frame.CONTENT_CHECKSUM) != 0 ? new XxHash32() : null;
        frameBytes = 0;
        at = 0;
        end = 0;
        inFrame = true;
        hasFrames = true;
    }

    private void nextBlock() throws IOException {
        int header = (int) in.readLittleEndian(4);
        if (header == 0) {
            endFrame();
            return;
        }
        boolean stored = (header & Lz4Frame.STORED) != 0;
        int length = header & ~Lz4Frame.STORED;
        if (length > blockBytes) {
            throw in.corrupt("a block of " + length + " bytes is more than the " + blockBytes + " of its frame");
        }
        int history = independent ? 0 : Math.min(end, Lz4Frame.HISTORY_BYTES);
        plain = Lz4Frame.grown(plain, Lz4Frame.HISTORY_BYTES + blockBytes + Lz4Block.SLACK);
        System.arraycopy(plain, end - history, plain, 0, history);
        packed = Lz4Frame.grown(packed, blockBytes);
        in.readFully(packed, length);
        if (blockChecksums
                && (int) in.readLittleEndian(4)
                        != new XxHash32().update(packed, 0, length).value()) {
            throw in.corrupt("the checksum of a block does not match");
        }
        at = history;
        if (stored) {
            System.arraycopy(packed, 0, plain, history, length);
            end = history + length;
        } else {
            end = Lz4Block.decode(packed, length, plain, history, history + blockBytes);
            if (end < 0) {
                at = 0;
                end = 0;
                throw in.corrupt("a block does not decompress");
            }
        }
        if (checksum != null) {
            checksum.update(plain, at, end - at);
        }
        frameBytes += end - at;
        in.produced(end - at);
    }

    private void endFrame() throws IOException {
        inFrame = false;
        if (checksum != null && (int) in.readLittleEndian(4) != checksum.value()) {
            throw in.corrupt("the checksum of a frame does not match");
        }
        if (expected >= 0 && expected != frameBytes) {
            throw in.corrupt("a frame that should have " + expected + " bytes has " + frameBytes);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

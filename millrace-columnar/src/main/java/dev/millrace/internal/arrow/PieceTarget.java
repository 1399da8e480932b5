package dev.millrace.internal.arrow;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.arrow.MessageEncoder.Pair;
import dev.millrace.internal.arrow.MessageEncoder.Place;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file that is written in pieces: a batch of any size passes through the same small memory, each buffer compressed
/// one piece at a time. The head of the message, which contains the lengths of the buffers, is written afterwards into
/// space that was reserved for it. A buffer that would hardly shrink is written uncompressed, directly from the block.
/// Records a checksum of every region. One thread.
public final class PieceTarget extends MessageOutput {
    /// Smaller pieces are collected before they are written.
    private static final int DIRECT_BYTES = 64 << 10;
    /// The number of bytes that are compressed as a probe before a buffer is: at one position or, for a large buffer,
    /// at each of [#PROBES] positions.
    private static final int PROBE_BYTES = 16 << 10;

    private static final int MIN_PROBE_BYTES = 4 << 10;
    private static final int PROBED_PART = 16;
    private static final int PROBES = 3;
    /// The maximum compressed size in tenths; otherwise the buffer stays uncompressed: a disk writes plain bytes about
    /// as fast as a CPU searches poorly compressible ones for repetitions.
    private static final int WORTHWHILE = 7;

    private final FileChannel channel;
    private final BufferCodecs codecs;
    private final MemorySegment stage;
    private final MemorySegment piece;
    private final List<RegionChecksums.Region> regions = new ArrayList<>();
    /// The position of the next byte: after what was written and what is on the stage.
    private long end;

    private long staged;

    /// @param channel an empty file, closed with the target
    /// @param scratch used until the target is closed
    public PieceTarget(FileChannel channel, PieceScratch scratch) {
        this.channel = channel;
        this.codecs = scratch.codecs();
        this.stage = scratch.stage();
        this.piece = scratch.piece();
    }

    BufferCodec codec(IpcCompression compression) {
        return codecs.of(compression);
    }

    /// The checksums of all that was written; available once it is finished.
    public RegionChecksums checksums() {
        return RegionChecksums.of(regions);
    }

    @Override
    void accept(List<MemorySegment> pieces, @Nullable EncodedMessage owner) {
        try (owner) {
            for (MemorySegment each : pieces) {
                put(each);
            }
            flush();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /// Writes a message, closes it, and returns its position.
    Place send(PlainMessage message) {
        try (message) {
            long at = position();
            int headBytes = EncodedMessage.headBytes(message.placeholder(), at);
            long bodyStart = at + headBytes;
            end = bodyStart;
            List<Pair> buffers = new ArrayList<>();
            for (BodyPart part : message.parts()) {
                long start = end;
                if (part.bytes() > 0) {
                    put(part, message.codec());
                }
                buffers.add(new Pair(start - bodyStart, end - start));
                put(EncodedMessage.padding(end));
            }
            flush();
            long bodyLength = end - bodyStart;
            MemorySegment head = EncodedMessage.head(message.metadata().encode(buffers, bodyLength), headBytes);
            writeAt(at, head);
            advance(headBytes + bodyLength);
            return new Place(at, headBytes, bodyLength);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void put(BodyPart part, @Nullable BufferCodec codec) throws IOException {
        if (codec == null) {
            putPlain(part);
        } else if (BufferCodec.isCompressible(part.bytes()) && isWorthwhile(part, codec)) {
            putCompressed(part, codec);
        } else {
            need(BufferCodec.PREFIX_BYTES);
            stage.set(JAVA_LONG_UNALIGNED, staged, BufferCodec.STORED);
            stagedTo(staged + BufferCodec.PREFIX_BYTES);
            putPlain(part);
        }
    }

    private boolean isWorthwhile(BodyPart part, BufferCodec codec) {
        long before = 0;
        long after = 0;
        long bytes = Math.clamp(part.bytes() / PROBED_PART, MIN_PROBE_BYTES, PROBE_BYTES);
        int probes = bytes < PROBE_BYTES ? 1 : PROBES;
        for (int i = 0; i < probes; i++) {
            long from = (part.bytes() - bytes) / PROBES * i & -8;
            long probed = Math.min(bytes, part.bytes());
            after += codec.probe(part.piece(Math.max(0, from), probed, piece));
            before += probed;
        }
        return after * 10 <= before * WORTHWHILE;
    }

    private void putCompressed(BodyPart part, BufferCodec codec) throws IOException {
        need(64);
        stagedTo(codec.begin(part.bytes(), stage, staged));
        for (long from = 0; from < part.bytes(); from += PieceScratch.PIECE_BYTES) {
            int bytes = (int) Math.min(PieceScratch.PIECE_BYTES, part.bytes() - from);
            need(codec.maxPiece(bytes));
            stagedTo(codec.compressPiece(part.piece(from, bytes, piece), stage, staged));
        }
        need(64);
        stagedTo(codec.end(stage, staged));
    }

    private void putPlain(BodyPart part) throws IOException {
        if (part instanceof BodyPart.InMemory there) {
            put(there.memory());
            return;
        }
        for (long from = 0; from < part.bytes(); from += PieceScratch.PIECE_BYTES) {
            put(part.piece(from, Math.min(PieceScratch.PIECE_BYTES, part.bytes() - from), piece));
        }
    }

    private void put(MemorySegment bytes) throws IOException {
        if (bytes.byteSize() < DIRECT_BYTES) {
            need(bytes.byteSize());
            MemorySegment.copy(bytes, 0, stage, staged, bytes.byteSize());
            stagedTo(staged + bytes.byteSize());
            return;
        }
        flush();
        writeAt(end, bytes);
        end += bytes.byteSize();
    }

    /// Makes room on the stage.
    private void need(long bytes) throws IOException {
        if (bytes > stage.byteSize() - staged) {
            flush();
        }
    }

    private void stagedTo(long to) {
        end += to - staged;
        staged = to;
    }

    private void flush() throws IOException {
        if (staged > 0) {
            writeAt(end - staged, stage.asSlice(0, staged));
            staged = 0;
        }
    }

    private void writeAt(long at, MemorySegment bytes) throws IOException {
        for (long from = 0; from < bytes.byteSize(); from += PieceScratch.STAGE_BYTES) {
            long length = Math.min(PieceScratch.STAGE_BYTES, bytes.byteSize() - from);
            ByteBuffer buffer = bytes.asSlice(from, length).asByteBuffer();
            regions.add(new RegionChecksums.Region(at + from, length, RegionChecksums.crc(buffer.duplicate())));
            for (long to = at + from; buffer.hasRemaining(); ) {
                to += channel.write(buffer, to);
            }
        }
    }

    private MillraceException failed(IOException e) {
        return new MillraceException(
                Culprit.RESOURCES, "Arrow data could not be written at byte " + end + ": " + e.getMessage(), e);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw failed(e);
        }
    }
}

package dev.millrace.internal.avro;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.FeedReader;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the records of the blocks that begin in a range of a container file. Unused fields are skipped.
final class AvroReader implements SplitReader {
    private static final int EXPECTED_ROWS = 256;
    /// The maximum number of zero-byte records: a count of these is not bounded by the size of the data.
    private static final long MAX_EMPTY = 1 << 24;

    private final FileRange range;
    private final ReadContext context;
    private final AvroHeader header;
    private final Schema output;
    private final ValueDecoder[] fields;
    /// The column of each field; -1 if the field is unused.
    private final int[] positions;

    private final int least;
    private final FeedReader in;
    private final BlockDecompressor decompressor;
    private final AvroInput input;
    private final BlockHead claimed = new BlockHead();
    /// The number of records left in the current block.
    private long left;

    private long blockAt;
    private long blockSize;
    /// The current block has a valid sync marker and has not been skipped.
    private boolean inBlock;
    private boolean markerBroken;
    /// The distance from the current position to the end of the broken marker.
    private long brokenEnd;
    /// The next block follows a broken marker.
    private boolean unmarked;
    /// The number of rows in the current chunk.
    private long rows;
    /// The number of these rows that are in blocks read to the end.
    private long sure;
    /// Thrown after the rows before it have been returned.
    private @Nullable MillraceException broken;

    AvroReader(AvroFormat format, FileRange range, WantedColumns wanted, ReadContext context) throws IOException {
        this.range = range;
        this.context = context;
        try (FeedReader first = FeedReader.of(range, context.allocator())) {
            this.header = AvroHeader.read(first, format.wideDecimals());
        }
        List<AvroType.Member> members = AvroFormat.members(header.schema());
        wanted.requireKnown(members.stream().map(AvroType.Member::name).toList(), range, format);
        this.fields = new ValueDecoder[members.size()];
        this.positions = new int[members.size()];
        List<Field> columns = new ArrayList<>();
        int bytes = 0;
        for (int i = 0; i < fields.length; i++) {
            fields[i] = ValueDecoders.of(members.get(i).type());
            bytes = (int) Math.min((long) bytes + fields[i].least, Integer.MAX_VALUE);
            positions[i] = -1;
            if (wanted.contains(members.get(i).name())) {
                positions[i] = columns.size();
                columns.add(new Field(
                        members.get(i).name(), ColumnTypes.of(members.get(i).type())));
            }
        }
        this.least = bytes;
        this.output = Schema.of(columns);
        long start = range.from() <= header.end() ? header.end() : range.from() - AvroHeader.SYNC_BYTES;
        this.in = range.isCompressed()
                ? FeedReader.of(range, context.allocator())
                : FeedReader.at(range, start, context.allocator());
        this.decompressor = new BlockDecompressor(header.codec(), in, context.allocator());
        this.input = new AvroInput(in);
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(this);
            if (range.isCompressed()) {
                in.skip(header.end(), "the header");
            } else if (range.from() > header.end()) {
                findSync();
            }
            scope.keep();
        }
    }

    /// Skips past the next marker, or to the end of the file.
    private void findSync() throws IOException {
        byte[] sync = header.sync();
        long first = MemorySegment.ofArray(sync).get(JAVA_LONG_UNALIGNED, 0);
        while (in.has(AvroHeader.SYNC_BYTES)) {
            MemorySegment window = in.window();
            long at = in.at();
            long last = at + in.available() - AvroHeader.SYNC_BYTES;
            for (; at <= last; at++) {
                if (window.get(JAVA_LONG_UNALIGNED, at) == first && isSync(window, at)) {
                    in.advance(at - in.at() + AvroHeader.SYNC_BYTES);
                    return;
                }
            }
            in.advance(at - in.at());
        }
        in.advance(in.available());
    }

    private boolean isSync(MemorySegment window, long at) {
        byte[] sync = header.sync();
        for (int i = 0; i < sync.length; i++) {
            if (window.get(JAVA_BYTE, at + i) != sync[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public @Nullable Block next() throws IOException {
        throwBroken();
        if (left == 0 && !nextBlock()) {
            return null;
        }
        try (BlockBuilder block = new BlockBuilder(context.allocator(), output, EXPECTED_ROWS)) {
            rows = 0;
            sure = 0;
            try {
                fill(block, bind(block));
            } catch (MillraceException e) {
                if (e.culprit() != Culprit.DATA) {
                    throw e;
                }
                block.truncate(sure);
                rows = sure;
                broken = e;
            }
            if (rows == 0) {
                throwBroken();
            }
            return block.build();
        }
    }

    private void throwBroken() {
        if (broken != null) {
            MillraceException error = broken;
            broken = null;
            throw error;
        }
    }

    /// The decoders of a chunk's fields, each with its column.
    private BoundDecoder[] bind(BlockBuilder block) {
        BoundDecoder[] bound = new BoundDecoder[fields.length];
        for (int i = 0; i < bound.length; i++) {
            bound[i] = positions[i] < 0 ? fields[i].skipping() : fields[i].into(block.column(positions[i]));
        }
        return bound;
    }

    private void fill(BlockBuilder block, BoundDecoder[] decoders) throws IOException {
        long consumed = 0;
        do {
            long before = input.left();
            for (BoundDecoder decoder : decoders) {
                decoder.read(input);
            }
            if (output.size() == 0) {
                block.append();
            }
            left--;
            rows++;
            if (left == 0) {
                requireAllRead();
                sure = rows;
            }
            // Each record counts as at least one byte, so that a run of zero-byte records fills a chunk, too.
            consumed += 1 + before - input.left();
        } while (consumed < context.chunkBytes() && (left > 0 || nextBlock()));
    }

    /// Advances to the next block that has records and begins in the range.
    private boolean nextBlock() throws IOException {
        while (true) {
            if (inBlock) {
                in.advance(blockSize + AvroHeader.SYNC_BYTES);
                inBlock = false;
            }
            blockAt = in.position();
            if (blockAt >= range.to() && !unmarked || in.atEnd()) {
                return false;
            }
            unmarked = false;
            String what = "the block that begins at byte " + blockAt;
            long begin = claimed.read(in, 0);
            if (begin < 0) {
                throw in.malformed("the file ends, or a number has more than ten bytes, in the middle of " + what);
            }
            left = claimed.records;
            blockSize = claimed.bytes;
            if (!isSound(claimed)) {
                throw in.malformed(blockAt, "a block cannot have " + left + " records in " + blockSize + " bytes");
            }
            in.require(begin + blockSize + AvroHeader.SYNC_BYTES, what);
            requireMarker(begin + blockSize);
            in.advance(begin);
            inBlock = true;
            if (header.codec() == AvroCodec.NULL) {
                input.begin(in.window(), in.at(), in.at() + blockSize, blockAt);
            } else {
                decompressor.decompress(in.window(), in.at(), blockSize, blockAt);
                input.begin(decompressor.memory(), 0, decompressor.size(), blockAt);
            }
            if (left > 0) {
                return true;
            }
            requireAllRead();
        }
    }

    private boolean isSound(BlockHead head) {
        return head.records >= 0
                && head.bytes >= 0
                && head.bytes < Long.MAX_VALUE / 2
                && (header.codec() != AvroCodec.NULL || least == 0 || head.records <= head.bytes / least)
                && (least > 0 || head.records <= MAX_EMPTY);
    }

    private void requireAllRead() {
        if (input.left() != 0) {
            throw in.malformed(
                    blockAt, "the block that begins here has " + input.left() + " bytes more than its records");
        }
    }

    private void requireMarker(long offset) {
        if (!isSync(in.window(), in.at() + offset)) {
            markerBroken = true;
            brokenEnd = offset + AvroHeader.SYNC_BYTES;
            byte[] found = new byte[AvroHeader.SYNC_BYTES];
            MemorySegment.copy(in.window(), JAVA_BYTE, in.at() + offset, found, 0, found.length);
            throw in.malformed(
                    blockAt,
                    "the block that begins here does not end with the file's marker, but with "
                            + Arrays.toString(found));
        }
    }

    /// Skips the broken block: past its marker; or, if the marker is broken and the next block is sound, past the place
    /// where the marker should be; otherwise past the next marker, which may be where the block was expected.
    @Override
    public boolean skipBroken() throws IOException {
        left = 0;
        if (inBlock) {
            in.advance(blockSize + AvroHeader.SYNC_BYTES);
        } else if (markerBroken && isBlockAt(brokenEnd)) {
            in.advance(brokenEnd);
            // The reader of the next range searches for markers and does not find this block, so this one reads it.
            unmarked = true;
        } else {
            findSync();
        }
        inBlock = false;
        markerBroken = false;
        return true;
    }

    /// Whether a sound block with its marker begins at this distance from the current position.
    private boolean isBlockAt(long offset) throws IOException {
        BlockHead next = new BlockHead();
        long begin = next.read(in, offset);
        return begin >= 0
                && isSound(next)
                && in.has(begin + next.bytes + AvroHeader.SYNC_BYTES)
                && isSync(in.window(), in.at() + begin + next.bytes);
    }

    @Override
    public void close() throws IOException {
        try (in) {
            decompressor.close();
        }
    }
}

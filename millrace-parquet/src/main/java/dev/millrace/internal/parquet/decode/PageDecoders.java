package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.PageEncoding;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Creates the decoders of one column chunk's pages, and holds its dictionary. One thread.
public final class PageDecoders implements AutoCloseable {
    /// The lengths of delta-encoded strings are decoded eagerly and take memory before the first value is read.
    private static final int MAX_STRINGS = 1 << 26;

    /// Indices are taken from a page by the decoder that was created with the dictionary.
    private static final String NO_DICTIONARY = "indices of a page without a dictionary";

    private static final int SCRATCH_BYTES = 16 << 10;

    private final PhysicalType type;
    private final ValueKind kind;
    private final Allocator allocator;
    private final HybridReader indices = new HybridReader();
    private @Nullable FixedDictionary fixedDictionary;
    private @Nullable BytesDictionaryPage bytesDictionary;
    private int @Nullable [] someIndices;
    private @Nullable Buffer scratch;
    private @Nullable BytesSink scratchBytes;
    /// The decoder of the last page; null if there is none or the page is dictionary-encoded.
    private @Nullable BytesDecoder strings;

    public PageDecoders(PhysicalType type, ValueKind kind, Allocator allocator) {
        this.type = type;
        this.kind = kind;
        this.allocator = allocator;
    }

    /// Reads the dictionary page, whose values are in plain encoding. If `data` is backed by an array, it must not
    /// change while pages are read.
    public void dictionary(MemorySegment data, long from, long end, int values) {
        if (fixedDictionary != null || bytesDictionary != null) {
            throw new MalformedParquet("there are two dictionary pages");
        }
        if (values > end - from) {
            // A value takes at least one byte (booleans have no dictionary).
            throw new MalformedParquet("a dictionary of " + values + " values in " + (end - from) + " bytes");
        }
        if (kind.isBytes()) {
            try (BytesSink sink = new BytesSink(allocator)) {
                sink.begin(values, end - from);
                new PlainBytes(data, from, end).read(sink, values);
                bytesDictionary = new BytesDictionaryPage(sink);
            }
            return;
        }
        boolean decimals = kind.width() == 16;
        boolean words = type == PhysicalType.INT64 || type == PhysicalType.DOUBLE;
        if (words && (decimals || kind.conversion() == null)) {
            fixedDictionary = FixedDictionary.inPlace(data, from, end, values, decimals);
            if (fixedDictionary != null) {
                return;
            }
        }
        if (decimals && (type == PhysicalType.INT64 || type == PhysicalType.INT32)) {
            fixedDictionary = FixedDictionary.decimals(data, from, end, kind.storedWidth(), values);
            return;
        }
        Buffer converted = allocator.allocate((long) values * kind.width() + WordPadding.BYTES);
        try {
            fixed(PageEncoding.PLAIN, data, from, end, values).read(converted.segment(), 0, values);
            fixedDictionary = new FixedDictionary(converted.segment(), kind.width(), values);
        } finally {
            converted.release();
        }
    }

    /// The number of values in the dictionary; 0 if there is none.
    public int dictionarySize() {
        return fixedDictionary != null ? fixedDictionary.size() : bytesDictionary != null ? bytesDictionary.size() : 0;
    }

    /// Writes the values for the first `count` of `indices`.
    public void fromDictionary(int[] indexes, int count, MemorySegment target) {
        Objects.requireNonNull(fixedDictionary, NO_DICTIONARY).gather(indexes, count, target, 0);
    }

    public void fromDictionary(int[] indexes, int count, BytesSink target) {
        Objects.requireNonNull(bytesDictionary, NO_DICTIONARY).gather(indexes, count, target);
    }

    /// The indices of the page whose decoder was created last.
    public HybridReader indices() {
        return indices;
    }

    public FixedDecoder fixed(PageEncoding encoding, MemorySegment data, long from, long end, int values) {
        if (encoding.isDictionary()) {
            if (fixedDictionary == null) {
                throw new MalformedParquet("a page refers to a dictionary that is not there");
            }
            if (someIndices == null) {
                someIndices = DictionaryFixed.scratch();
            }
            return new DictionaryFixed(indices(data, from, end), fixedDictionary, kind.width(), someIndices);
        }
        if (kind.storedWidth() == 0) {
            return new ScratchDecoders.FromBytes(bytes(encoding, data, from, end, values), scratchBytes(), true, 16);
        }
        if (type == PhysicalType.BOOLEAN) {
            return booleans(encoding, data, from, end);
        }
        int width = kind.storedWidth();
        return switch (encoding) {
            case PLAIN -> new PlainFixed(data, from, end, width, kind.conversion(), kind.width());
            case DELTA_BINARY_PACKED -> {
                if (type != PhysicalType.INT32 && type != PhysicalType.INT64) {
                    throw misplaced(encoding);
                }
                yield converted(new DeltaFixed(new DeltaReader(data, from, end), width));
            }
            case BYTE_STREAM_SPLIT -> converted(new StreamSplitFixed(data, from, end, width));
            case DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY -> {
                if (type != PhysicalType.FIXED_LEN_BYTE_ARRAY) {
                    throw misplaced(encoding);
                }
                yield converted(new ScratchDecoders.FromBytes(
                        bytes(encoding, data, from, end, values), scratchBytes(), false, width));
            }
            default -> throw misplaced(encoding);
        };
    }

    private FixedDecoder booleans(PageEncoding encoding, MemorySegment data, long from, long end) {
        if (encoding == PageEncoding.PLAIN) {
            return new BooleanDecoder(data, from, end);
        }
        if (encoding != PageEncoding.RLE || end - from < 4) {
            throw misplaced(encoding);
        }
        long bytes = data.get(JAVA_INT_UNALIGNED, from) & 0xFFFF_FFFFL;
        if (bytes > end - from - 4) {
            throw new MalformedParquet("a page of booleans ends too early");
        }
        HybridReader runs = new HybridReader();
        runs.reset(data, from + 4, from + 4 + bytes, 1);
        return new BooleanDecoder.Runs(runs);
    }

    public BytesDecoder bytes(PageEncoding encoding, MemorySegment data, long from, long end, int values) {
        if (encoding.isDictionary()) {
            if (bytesDictionary == null) {
                throw new MalformedParquet("a page refers to a dictionary that is not there");
            }
            return new DictionaryBytes(indices(data, from, end), bytesDictionary);
        }
        if (values > MAX_STRINGS && encoding != PageEncoding.PLAIN) {
            throw new MalformedParquet(values + " strings in one page");
        }
        closeStrings();
        BytesDecoder decoder = switch (encoding) {
            case PLAIN -> new PlainBytes(data, from, end);
            case DELTA_LENGTH_BYTE_ARRAY -> new DeltaLengthBytes(data, from, end, values, allocator);
            case DELTA_BYTE_ARRAY -> new DeltaBytes(data, from, end, values, allocator);
            default -> throw misplaced(encoding);
        };
        strings = decoder;
        return decoder;
    }

    private void closeStrings() {
        if (strings != null) {
            strings.close();
            strings = null;
        }
    }

    /// A page's indices are preceded by a byte with their bit width. A page without values may have no bytes.
    private HybridReader indices(MemorySegment data, long from, long end) {
        if (from < end) {
            indices.reset(data, from + 1, end, data.get(JAVA_BYTE, from) & 0xFF);
        } else {
            indices.reset(data, from, end, 1);
        }
        return indices;
    }

    private FixedDecoder converted(FixedDecoder stored) {
        if (kind.conversion() == null) {
            return stored;
        }
        if (scratch == null) {
            scratch = allocator.allocate(SCRATCH_BYTES);
        }
        return new ScratchDecoders.Converted(
                stored, kind.storedWidth(), kind.conversion(), kind.width(), scratch.segment());
    }

    private BytesSink scratchBytes() {
        if (scratchBytes == null) {
            scratchBytes = new BytesSink(allocator);
        }
        return scratchBytes;
    }

    private MalformedParquet misplaced(PageEncoding encoding) {
        return new MalformedParquet("values of type " + type + " cannot have the encoding " + encoding);
    }

    @Override
    public void close() {
        closeStrings();
        if (bytesDictionary != null) {
            bytesDictionary.close();
            bytesDictionary = null;
        }
        if (scratch != null) {
            scratch.release();
            scratch = null;
        }
        if (scratchBytes != null) {
            scratchBytes.close();
        }
    }
}

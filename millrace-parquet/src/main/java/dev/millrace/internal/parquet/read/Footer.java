package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.internal.parquet.format.FileMetadata;
import dev.millrace.internal.parquet.format.Malformed;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.ArrowTypes;
import dev.millrace.internal.parquet.schema.FileSchema;
import java.lang.foreign.MemorySegment;

/// What the end of a file says about the rest of it.
record Footer(FileMetadata metadata, FileSchema columns) {
    private static final int MAGIC = 0x31524150;
    private static final int MAGIC_ENCRYPTED = 0x45524150;
    private static final int TAIL = 8;
    private static final long FIRST_LOOK = 64 << 10;

    static Footer read(FileBytes file) {
        long size = file.size();
        if (size < TAIL + 4) {
            throw new Malformed("it has only " + size + " bytes, so it is no Parquet file");
        }
        MemorySegment tail = tail(file, Math.min(size, FIRST_LOOK));
        int magic = tail.get(JAVA_INT_UNALIGNED, tail.byteSize() - 4);
        if (magic == MAGIC_ENCRYPTED) {
            throw new Malformed("it is encrypted, which is not supported");
        }
        if (magic != MAGIC) {
            throw new Malformed("it does not end in 'PAR1', so it is no Parquet file or was not written to its end");
        }
        long length = tail.get(JAVA_INT_UNALIGNED, tail.byteSize() - TAIL) & 0xFFFF_FFFFL;
        if (length > size - TAIL - 4) {
            throw new Malformed("its footer claims " + length + " bytes in a file of " + size);
        }
        if (length + TAIL > tail.byteSize()) {
            tail = tail(file, length + TAIL);
        }
        FileMetadata metadata = FileMetadata.read(tail.asSlice(tail.byteSize() - TAIL - length, length));
        FileSchema columns = ArrowTypes.applied(FileSchema.of(metadata.schema()), metadata.properties());
        for (RowGroup group : metadata.rowGroups()) {
            if (group.columns().size() != columns.leaves()) {
                throw new Malformed(
                        "a row group has " + group.columns().size() + " columns, the schema " + columns.leaves());
            }
        }
        return new Footer(metadata, columns);
    }

    private static MemorySegment tail(FileBytes file, long bytes) {
        if (file.whole() != null) {
            return file.whole().asSlice(file.size() - bytes, bytes);
        }
        if (bytes > Integer.MAX_VALUE - 16) {
            throw new Malformed("its footer has " + bytes + " bytes");
        }
        MemorySegment tail = MemorySegment.ofArray(new byte[(int) bytes]);
        file.read(file.size() - bytes, tail);
        return tail;
    }
}

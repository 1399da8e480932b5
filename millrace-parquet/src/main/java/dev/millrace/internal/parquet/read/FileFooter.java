package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.FileMetadata;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.ArrowTypes;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.parquet.Int96Timestamps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The parsed footer of a file.
record FileFooter(FileMetadata metadata, FileSchema columns) {
    private static final int MAGIC = 0x31524150;
    private static final int MAGIC_ENCRYPTED = 0x45524150;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int TAIL = 8;
    private static final long FIRST_LOOK = 64 << 10;

    static FileFooter read(FileBytes file) {
        long size = file.size();
        if (size < TAIL + 4) {
            throw new MalformedParquet("it has only " + size + " bytes, so it is no Parquet file");
        }
        byte[] tail = tail(file, file.whole() != null ? TAIL : Math.min(size, FIRST_LOOK));
        int magic = (int) INT.get(tail, tail.length - 4);
        if (magic == MAGIC_ENCRYPTED) {
            throw new MalformedParquet("it is encrypted, which is not supported");
        }
        if (magic != MAGIC) {
            throw new MalformedParquet(
                    "it does not end in 'PAR1', so it is no Parquet file or was not written to its end");
        }
        long length = (int) INT.get(tail, tail.length - TAIL) & 0xFFFF_FFFFL;
        if (length > size - TAIL - 4) {
            throw new MalformedParquet("its footer claims " + length + " bytes in a file of " + size);
        }
        if (length + TAIL > tail.length) {
            tail = tail(file, length + TAIL);
        }
        FileMetadata metadata = FileMetadata.read(tail, (int) (tail.length - TAIL - length), tail.length - TAIL);
        FileSchema columns = columns(metadata, Int96Timestamps.NANOSECONDS);
        for (RowGroup group : metadata.rowGroups()) {
            if (group.columns().size() != columns.leaves()) {
                throw new MalformedParquet(
                        "a row group has " + group.columns().size() + " columns, the schema " + columns.leaves());
            }
        }
        return new FileFooter(metadata, columns);
    }

    /// The columns, with INT96 timestamps read in this way.
    FileSchema columns(Int96Timestamps int96) {
        return int96 == Int96Timestamps.NANOSECONDS ? columns : columns(metadata, int96);
    }

    private static FileSchema columns(FileMetadata metadata, Int96Timestamps int96) {
        return ArrowTypes.applied(FileSchema.of(metadata.schema(), int96), metadata.properties());
    }

    private static byte[] tail(FileBytes file, long bytes) {
        if (bytes > Integer.MAX_VALUE - 16) {
            throw new MalformedParquet("its footer has " + bytes + " bytes");
        }
        return file.read(file.size() - bytes, (int) bytes);
    }
}

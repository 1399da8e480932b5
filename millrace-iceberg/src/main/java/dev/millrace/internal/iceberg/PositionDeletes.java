package dev.millrace.internal.iceberg;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.block.Block;
import dev.millrace.column.LongColumn;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.read.DeletedRows;
import dev.millrace.internal.parquet.read.TableFile;
import dev.millrace.internal.parquet.read.TableFiles;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.Buffer;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.jspecify.annotations.Nullable;

/// Position deletes of one data file: from Parquet files that contain data file names and positions, and from deletion
/// vectors. Their bitmap is on the heap. A data file has at most 2^31 rows.
///
/// @param dataFile its location as recorded in the table
record PositionDeletes(String dataFile, List<DeleteFile> files) implements TableFile.Deletes {
    private static final Schema SCHEMA =
            Schema.of(new Field("file_path", DataType.UTF8), new Field("pos", DataType.INT64));
    private static final Map<Integer, String> NAMES = Map.of(
            MetadataColumns.DELETE_FILE_PATH.fieldId(), "file_path",
            MetadataColumns.DELETE_FILE_POS.fieldId(), "pos");
    private static final Map<List<String>, Integer> IDS = Map.of(
            List.of("file_path"), MetadataColumns.DELETE_FILE_PATH.fieldId(),
            List.of("pos"), MetadataColumns.DELETE_FILE_POS.fieldId());

    /// Whether the format of a delete file is supported.
    static boolean isReadable(DeleteFile file) {
        return file.format() == FileFormat.PUFFIN || file.format() == FileFormat.PARQUET;
    }

    @Override
    public @Nullable DeletedRows load(ReadContext context) {
        PositionDeleteIndex all = null;
        BitSet positions = new BitSet();
        for (DeleteFile file : files) {
            if (file.format() == FileFormat.PUFFIN) {
                PositionDeleteIndex one = vector(file, context);
                if (all == null) {
                    all = one;
                } else {
                    all.merge(one);
                }
            } else {
                positions(file, context, positions);
            }
        }
        PositionDeleteIndex vector = all;
        if (vector == null) {
            return positions.isEmpty() ? null : row -> positions.get((int) row);
        }
        return positions.isEmpty() ? vector::isDeleted : row -> vector.isDeleted(row) || positions.get((int) row);
    }

    private static PositionDeleteIndex vector(DeleteFile file, ReadContext context) {
        String path = StoragePaths.of(file.location());
        int length = Math.toIntExact(file.contentSizeInBytes());
        try (RandomFile open =
                StorageRegistry.open(new StoredFile(path, file.fileSizeInBytes()), context.allocator())) {
            Buffer buffer = context.allocator().allocate(length);
            try {
                open.readFully(file.contentOffset(), buffer.segment());
                byte[] bytes = buffer.segment().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
                return PositionDeleteIndex.deserialize(bytes, file);
            } finally {
                buffer.release();
            }
        } catch (IOException e) {
            throw StorageRegistry.unreadable(path, e);
        } catch (IllegalArgumentException e) {
            throw new MillraceException(
                    Culprit.DATA, "The deletion vector in '" + path + "' cannot be read: " + e.getMessage(), e);
        }
    }

    private void positions(DeleteFile file, ReadContext context, BitSet positions) {
        TableFile deletes = new TableFile(
                new StoredFile(StoragePaths.of(file.location()), file.fileSizeInBytes()),
                0,
                Long.MAX_VALUE,
                NAMES,
                IDS,
                Map.of(),
                Map.of(),
                null);
        Schema output = Schema.of(SCHEMA.field(1));
        try (SplitReader reader = TableFiles.open(
                List.of(deletes),
                SCHEMA,
                output,
                col("file_path").eq(dataFile),
                Long.MAX_VALUE,
                "the format of position deletes",
                context)) {
            for (Block block = reader.next(); block != null; block = reader.next()) {
                try (Block rows = block) {
                    LongColumn column = (LongColumn) rows.column(0);
                    for (long i = 0; i < rows.rows(); i++) {
                        positions.set(position(column.get(i), file));
                    }
                }
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new MillraceException(Culprit.RESOURCES, "'" + file.location() + "' could not be read: " + e, e);
        }
    }

    private static int position(long row, DeleteFile file) {
        if (row < 0 || row > Integer.MAX_VALUE - 1) {
            throw MillraceException.data(
                    "'" + file.location() + "' deletes the row " + row + ", which no data file has.");
        }
        return (int) row;
    }
}

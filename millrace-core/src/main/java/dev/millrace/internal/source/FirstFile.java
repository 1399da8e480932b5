package dev.millrace.internal.source;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.compress.FileCompression;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.source.FileRange;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// Inspects files of a read before it runs.
public final class FirstFile {
    private static final long CHUNK_BYTES = 1 << 20;
    private static final int MAX_SAMPLED = 8;

    private FirstFile() {}

    public static Schema schema(StoredFile file, ReadFormat format, FileReads options) {
        return look(file, format, options, "the columns", format::schema);
    }

    /// The number of rows, if the file declares it.
    public static OptionalLong rows(StoredFile file, ReadFormat format, FileReads options) {
        return look(file, format, options, "the rows", format::rows);
    }

    /// The bytes of memory per byte of the files, from a sample of them if the format supports it.
    public static double expansion(List<StoredFile> files, ReadFormat format, FileReads options) {
        double bytes = 0;
        double memory = 0;
        int step = Math.max(1, files.size() / MAX_SAMPLED);
        for (int i = 0; i < files.size(); i += step) {
            StoredFile file = files.get(i);
            OptionalDouble some = look(file, format, options, "the size in memory", (range, context) -> {
                try {
                    return format.expansion(range, context);
                } catch (IOException e) {
                    return OptionalDouble.empty();
                }
            });
            if (some.isEmpty() && bytes == 0) {
                break;
            }
            if (some.isPresent() && file.bytes() > 0) {
                bytes += file.bytes();
                memory += file.bytes() * some.getAsDouble();
            }
        }
        return bytes == 0 ? format.expansion() : memory / bytes;
    }

    private interface FileInspection<T> {
        T into(FileRange range, ReadContext context) throws Exception;
    }

    private static <T> T look(
            StoredFile file, ReadFormat format, FileReads options, String what, FileInspection<T> look) {
        try (Allocator account = LookMemory.open(what + " of " + file.path())) {
            ReadContext context = new ReadContext(account, CHUNK_BYTES);
            FileCompression compression = FileListing.compression(file, format, options.compression());
            try (StoredRange range = new StoredRange(file, 0, Long.MAX_VALUE, compression, context)) {
                return look.into(range, context);
            }
        } catch (MemoryRefused e) {
            throw e.isTooLarge()
                    ? MillraceException.data(file.path()
                            + " has a value that is too large for the memory of this session: " + e.getMessage())
                    : e;
        } catch (IOException e) {
            throw StorageRegistry.unreadable(file.path(), e);
        } catch (MillraceException e) {
            throw e;
        } catch (Exception e) {
            throw new MillraceException(
                    Culprit.INTERNAL,
                    format.verb() + ": " + what + " of '" + file.path() + "' could not be found: " + e,
                    e);
        }
    }
}

package dev.millrace.internal.source;

import dev.millrace.internal.wording.SecretText;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.storage.StoredFile;
import java.io.Serializable;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A part of a file, or a few small files one after the other.
///
/// @param wanted of each file
/// @param bytes in memory, approximately
record FileSplit(
        ReadFormat format,
        FileColumns columns,
        WantedColumns wanted,
        @Nullable String compression,
        List<Part> parts,
        long bytes)
        implements Split {
    /// @param to Long.MAX_VALUE: to the end
    record Part(StoredFile file, long from, long to) implements Serializable {
        /// The bytes of the file; negative if unknown.
        long bytes() {
            return file.bytes() < 0 ? -1 : Math.min(to, file.bytes()) - from;
        }

        String description() {
            return SecretText.hide(file.path())
                    + (from == 0 && to == Long.MAX_VALUE ? "" : ", bytes " + from + "-" + (to - 1));
        }
    }

    @Override
    public String description() {
        return parts.getFirst().description() + (parts.size() == 1 ? "" : " and " + (parts.size() - 1) + " more files");
    }

    @Override
    public OptionalLong rows() {
        return format.hasRowPerFile() ? OptionalLong.of(parts.size()) : OptionalLong.empty();
    }

    @Override
    public OptionalLong sizeBytes() {
        return bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    @Override
    public List<String> inputFiles() {
        return parts.stream().map(part -> part.file().path()).toList();
    }

    @Override
    public SplitReader open(ReadContext context) {
        return new FileSplitReader(this, context);
    }
}

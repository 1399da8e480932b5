package dev.millrace.internal.parquet.read;

import dev.millrace.source.ReadContext;
import dev.millrace.storage.StoredFile;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A Parquet file as part of a table: columns are identified by field ids, and rows may be deleted by other files.
///
/// @param stored in a supported storage, with its size
/// @param from,to only the row groups that begin in this byte range are read
/// @param names of columns and fields of structs by their ids: others are not read
/// @param ids by path, see [dev.millrace.internal.parquet.schema.FieldIds]: for files without ids
/// @param constants columns with one value throughout the file, which override its contents
/// @param defaults values of columns that the file lacks; null if a column has no default
/// @param deletes null if no rows are deleted
public record TableFile(
        StoredFile stored,
        long from,
        long to,
        Map<Integer, String> names,
        Map<List<String>, Integer> ids,
        Map<String, Object> constants,
        Map<String, Object> defaults,
        @Nullable Deletes deletes)
        implements Serializable {

    public String path() {
        return stored.path();
    }

    /// Loads, in the task, which rows are deleted.
    @FunctionalInterface
    public interface Deletes extends Serializable {
        /// Null if none is deleted.
        @Nullable
        DeletedRows load(ReadContext context);
    }
}

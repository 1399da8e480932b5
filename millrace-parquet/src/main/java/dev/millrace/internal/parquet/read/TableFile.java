package dev.millrace.internal.parquet.read;

import dev.millrace.source.ReadContext;
import dev.millrace.storage.StoredFile;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/// A Parquet file as a table sees it: columns are known by field ids, and some of its rows may be deleted elsewhere.
///
/// @param stored in a storage that is known here, with its size
/// @param from,to of the row groups only those that begin in this range of bytes
/// @param names columns and fields of structs by their ids: what is not here is not read
/// @param ids by path, see [dev.millrace.internal.parquet.schema.FieldIds]: for files that carry none
/// @param constants columns that have one value throughout the file, whatever it holds
/// @param defaults values of columns that the file lacks; without one it is null
/// @param deletes null where no rows are deleted
public record TableFile(
        StoredFile stored,
        long from,
        long to,
        Map<Integer, String> names,
        Map<List<String>, Integer> ids,
        Map<String, Object> constants,
        Map<String, Object> defaults,
        Deletes deletes)
        implements Serializable {

    public String path() {
        return stored.path();
    }

    /// Finds out, in the task, which rows are deleted.
    @FunctionalInterface
    public interface Deletes extends Serializable {
        /// Null: none is.
        DeletedRows load(ReadContext context);
    }
}

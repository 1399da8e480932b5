package dev.millrace.source;

import dev.millrace.error.MillraceException;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;

/// What a read wants of each of its files.
///
/// @param wanted the columns to read, by name; a file may lack some, which are null there
/// @param known all columns of the files that were looked at for the schema
/// @param isNamed the user named the columns: others are passed over. If not, a file that has a column which is not
///     known is an error: to pass over it would be a loss that nobody sees
public record WantedColumns(Schema wanted, Schema known, boolean isNamed) implements Serializable {
    /// All that the files looked at have.
    public static WantedColumns all(Schema known) {
        return new WantedColumns(known, known, false);
    }

    /// Whether a column is to be read.
    public boolean contains(String column) {
        return wanted.contains(column);
    }

    /// Whoever opens a file that tells its columns calls this with them.
    ///
    /// @throws MillraceException culprit DATA, naming file and column, for one that is not known
    public void requireKnown(List<String> columns, FileRange file, ReadFormat format) {
        if (isNamed) {
            return;
        }
        for (String column : columns) {
            if (!known.contains(column)) {
                throw unknown(column, file.path(), format.verb());
            }
        }
    }

    /// The error of a column that is not known.
    ///
    /// @param where the file, and perhaps the place in it
    public MillraceException unknown(String column, String where, String verb) {
        return MillraceException.data(verb + ": '" + where + "' has the column '" + column
                + "', which none of the files looked at for the schema has (their columns are " + known.names()
                + "). Take the union of all files by unionOfAllFiles() in the options of the read, or name the columns"
                + " to read there by columns(...).");
    }
}

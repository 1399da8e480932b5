package dev.millrace.source;

import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// How the files of one format become rows, as an immutable value that holds the format's own options. Everything else
/// about reading files is [dev.millrace.files.FileSource]'s: finding, bundling and cutting them, decompression, columns
/// made of paths.
public interface ReadFormat extends Serializable {
    /// "CSV"
    String name();

    /// What errors call the read: "readCsv".
    String verb();

    /// How its files' names end, in lower case, without endings of compression: ".csv".
    List<String> endings();

    /// True if packed files are unpacked, as their names tell or the user says.
    default boolean unpacks() {
        return true;
    }

    /// True if a reader can begin anywhere in a file, see [FileRange].
    default boolean isSplittable() {
        return false;
    }

    /// True if [#schema] is the same whatever the files hold.
    default boolean hasFixedColumns() {
        return hasRowPerFile();
    }

    /// The columns of a file, of type null where it does not tell. Called when the source is made with some of the
    /// files, or with all of them, on several threads.
    ///
    /// @throws dev.millrace.error.MillraceException culprit DATA, naming file and place, for a file that is not of this
    /// format
    Schema schema(FileRange file, ReadContext context) throws Exception;

    /// The type of a column that is of these two in files looked at, if readers can give it of both.
    default Optional<DataType> commonType(DataType one, DataType other) {
        return Types.common(one, other);
    }

    /// The columns of the read, where the files looked at have these together: what the options say of columns that no
    /// file has, of types that no file tells.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, if the options do not go with them
    default Schema settle(Schema union) {
        return union;
    }

    /// How many rows a file has, where it tells without being read.
    default OptionalLong rows(FileRange whole, ReadContext context) throws Exception {
        return OptionalLong.empty();
    }

    /// True if every file is one row.
    default boolean hasRowPerFile() {
        return false;
    }

    /// About how many bytes of memory a byte of an uncompressed file becomes.
    default double expansion() {
        return 1.5;
    }

    /// The same of one file, where a look at its beginning tells: some files are asked when the source is made. A file
    /// that is broken tells nothing, and is not an error here.
    default OptionalDouble expansion(FileRange file, ReadContext context) throws Exception {
        return OptionalDouble.empty();
    }

    /// Reads a file or a part of it.
    ///
    /// @param columns at least those to read, under the types of the read; blocks may have more, fewer (then they are
    ///     null) or narrower ones. A file that tells its columns is held against them, see [WantedColumns#requireKnown]
    SplitReader open(FileRange range, WantedColumns columns, ReadContext context) throws Exception;
}

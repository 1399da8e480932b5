package dev.millrace.source;

import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// Converts the files of one format to rows; an immutable value that holds the format's own options.
/// [dev.millrace.files.FileSource] does everything else about reading files: listing, bundling and splitting them,
/// decompression, columns of paths.
public interface ReadFormat extends Serializable {
    /// "CSV"
    String name();

    /// The name of the read in errors: "readCsv".
    String verb();

    /// Its file endings, in lower case, without endings of compression: ".csv".
    List<String> endings();

    /// True if compressed files are decompressed, according to their names or the user's options.
    default boolean unpacks() {
        return true;
    }

    /// True if a reader can begin anywhere in a file, see [FileRange].
    default boolean isSplittable() {
        return false;
    }

    /// True if [#schema] is the same for all files.
    default boolean hasFixedColumns() {
        return hasRowPerFile();
    }

    /// The columns of a file, of type null if it does not declare one. Called when the source is created with some of
    /// the files, or with all of them, on several threads.
    ///
    /// @throws dev.millrace.error.MillraceException culprit DATA, naming file and place, for a file that is not of this
    ///     format
    Schema schema(FileRange file, ReadContext context) throws Exception;

    /// The common type of a column that has these two in sampled files, if readers can convert both to it.
    default Optional<DataType> commonType(DataType one, DataType other) {
        return Types.common(one, other);
    }

    /// The columns of the read, given the union of the sampled files: applies what the options say about columns that
    /// no file has, and about types that no file declares.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, if the options do not match them
    default Schema settle(Schema union) {
        return union;
    }

    /// The number of rows of a file, if it is known without reading it.
    default OptionalLong rows(FileRange whole, ReadContext context) throws Exception {
        return OptionalLong.empty();
    }

    /// True if every file is one row.
    default boolean hasRowPerFile() {
        return false;
    }

    /// The approximate bytes of memory per byte of an uncompressed file.
    default double expansion() {
        return 1.5;
    }

    /// The same for one file, if its beginning tells: some files are sampled when the source is created. A broken file
    /// is ignored, and is not an error here.
    default OptionalDouble expansion(FileRange file, ReadContext context) throws Exception {
        return OptionalDouble.empty();
    }

    /// Reads a file or a part of it.
    ///
    /// @param columns at least those to read, with the types of the read; blocks may have more, fewer (then they are
    ///     null) or narrower ones. A file that declares its columns is checked against them, see
    ///     [WantedColumns#requireKnown]
    SplitReader open(FileRange range, WantedColumns columns, ReadContext context) throws Exception;
}

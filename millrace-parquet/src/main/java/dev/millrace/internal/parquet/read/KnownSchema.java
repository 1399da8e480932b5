package dev.millrace.internal.parquet.read;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.source.FileListing;
import dev.millrace.parquet.ReadParquet;
import dev.millrace.source.WantedColumns;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Schema inference for files whose schemas differ, from the footers of some: the columns of the first files in their
/// order, followed by those that later files add; types are wide enough for all of them.
///
/// @param first the first file that could be read
/// @param others for columns whose type does not come from the first file, the file it comes from
/// @param isTable the columns are those of a table named `first`, not of a file
record KnownSchema(Schema schema, String first, Map<String, String> others, boolean isTable) implements Serializable {
    static final String VERB = "readParquet";

    /// The maximum number of footers that are read when a source is created.
    private static final int MOST = 16;

    /// The result of schema inference.
    ///
    /// @param footer of the file `sample`
    record Looked(KnownSchema known, FileFooter footer, StoredFile sample) {}

    /// Reads the footers of the first files and of some others. If one of several files cannot be read, it is ignored
    /// here: the error is reported when it is read, subject to the read's error policy.
    ///
    /// @throws MillraceException culprit DATA if no file can be read, and for types that conflict
    static Looked of(List<StoredFile> files, ReadParquet options) {
        List<StoredFile> some = options.files().looksAtAllFiles() ? files : FileListing.sample(files, MOST);
        List<@Nullable FileFooter> footers = FooterLoader.read(some);
        Looked looked = null;
        for (int i = 0; i < footers.size(); i++) {
            FileFooter footer = footers.get(i);
            if (footer == null) {
                continue;
            }
            Schema schema = footer.columns(options.int96()).schema();
            String file = some.get(i).path();
            looked = looked == null
                    ? new Looked(new KnownSchema(schema, file, Map.of(), false), footer, some.get(i))
                    : new Looked(looked.known().and(schema, file), looked.footer(), looked.sample());
        }
        return Objects.requireNonNull(looked, "if no footer can be read, its error is thrown");
    }

    private KnownSchema and(Schema more, String file) {
        if (more.equals(schema)) {
            return this;
        }
        List<Field> fields = new ArrayList<>();
        Map<String, String> from = new HashMap<>(others);
        for (Field field : schema.fields()) {
            int position = more.indexOf(field.name());
            if (position < 0) {
                fields.add(field);
                continue;
            }
            DataType there = more.field(position).type();
            Optional<DataType> common = Types.common(field.type(), there);
            if (common.isEmpty()) {
                throw clash(field, there, file);
            }
            if (!common.get().equals(field.type())) {
                from.put(field.name(), file);
            }
            fields.add(new Field(field.name(), common.get()));
        }
        for (Field field : more.fields()) {
            if (!schema.contains(field.name())) {
                fields.add(field);
                from.put(field.name(), file);
            }
        }
        return new KnownSchema(Schema.of(fields), first, from, false);
    }

    /// @throws MillraceException culprit DATA, if a file has a column, or a field of a struct, that none of the
    ///     inspected files has: ignoring it would lose data silently
    void requireAll(Schema columns, Set<String> constants, String file) {
        for (Field field : columns.fields()) {
            int position = schema.indexOf(field.name());
            String unknown = position < 0
                    ? constants.contains(field.name()) ? null : field.name()
                    : unknown(field.name(), field.type(), schema.field(position).type());
            if (unknown != null) {
                throw WantedColumns.all(schema).unknown(unknown, file, VERB);
            }
        }
    }

    /// The first field of a struct that `known` does not have; null if it has all.
    private static @Nullable String unknown(String path, DataType type, DataType known) {
        return switch (type) {
            case DataType.Struct(List<Field> fields)
            when known instanceof DataType.Struct(List<Field> there) -> unknown(path, fields, Schema.of(there));
            case DataType.ListOf(DataType element)
            when known instanceof DataType.ListOf(DataType there) -> unknown(path, element, there);
            case DataType.MapOf map
            when known instanceof DataType.MapOf there -> unknown(path, map.value(), there.value());
            // No nested fields.
            default -> null;
        };
    }

    private static @Nullable String unknown(String path, List<Field> fields, Schema known) {
        for (Field field : fields) {
            String below = path + "." + field.name();
            int position = known.indexOf(field.name());
            String unknown = position < 0
                    ? below
                    : unknown(below, field.type(), known.field(position).type());
            if (unknown != null) {
                return unknown;
            }
        }
        return null;
    }

    /// The error for a file whose column does not fit the known type.
    MillraceException clash(Field known, DataType there, String file) {
        if (isTable) {
            return MillraceException.data("The column '" + known.name() + "' is " + known.type() + " in the table "
                    + first + " and " + there + " in its file '" + file
                    + "', which the table cannot read as that. Take the file out of the table and append its rows.");
        }
        String what = VERB + ": the column '" + known.name() + "' is " + known.type() + " in '"
                + others.getOrDefault(known.name(), first) + "' and " + there + " in '" + file + "'";
        boolean widens = Types.common(known.type(), there).isPresent();
        return new MillraceException(
                Culprit.DATA,
                widens
                        ? what + ", which is wider, and was not among the files whose schemas were looked at before"
                                + " the read. Name that file first, take the union of all files by unionOfAllFiles() in the"
                                + " options of the read, or read the two apart."
                        : what + ", which have no common type. Read the two apart and cast one of them.");
    }
}

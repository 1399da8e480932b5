package dev.millrace.source;

import dev.millrace.type.DataType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options of reading WebDataset's tar archives.
///
/// @param files what all reads of files have in common
/// @param extensions the members to read, which name the columns; null: those that the first samples have
/// @param types of columns, instead of what the extension means: binary, utf8, int64, float64, a tensor for `.npy`, any
///     for `.json`
/// @param isRaw every member stays bytes unless [#types] says otherwise
public record ReadWebDataset(
        FileReads files, @Nullable List<String> extensions, Map<String, DataType> types, boolean isRaw)
        implements FileReadOptions<ReadWebDataset> {
    private static final ReadWebDataset DEFAULTS = new ReadWebDataset(FileReads.defaults(), null, Map.of(), false);

    public ReadWebDataset {
        extensions = extensions == null ? null : List.copyOf(extensions);
        types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
    }

    /// A column for each extension that a sample has.
    public static ReadWebDataset defaults() {
        return DEFAULTS;
    }

    /// Only members with these extensions: `extensions("jpg", "cls")`.
    public static ReadWebDataset extensions(String... names) {
        return new ReadWebDataset(FileReads.defaults(), List.of(names), Map.of(), false);
    }

    /// Members are not decoded.
    public ReadWebDataset raw() {
        return new ReadWebDataset(files, extensions, types, true);
    }

    /// The type of the members with an extension. `type("json", DataType.UTF8)` keeps the texts of `.json` as they are;
    /// a struct has the fields that are wanted of them, where those of the first samples would be all.
    public ReadWebDataset type(String extension, DataType type) {
        Map<String, DataType> all = new LinkedHashMap<>(types);
        all.put(extension, type);
        return new ReadWebDataset(files, extensions, all, isRaw);
    }

    /// Which files, and columns made of their paths.
    @Override
    public ReadWebDataset files(FileReads options) {
        return new ReadWebDataset(options, extensions, types, isRaw);
    }

    /// See [FileReads#columns].
    public ReadWebDataset columns(String... names) {
        return files(files.columns(names));
    }
}

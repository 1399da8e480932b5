package dev.millrace.internal.formats;

import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.source.FileReads;
import dev.millrace.source.FormatProvider;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.Source;
import java.util.List;
import java.util.function.Function;

/// A format whose options for reading are one record.
///
/// @param <O> the record
public abstract class CoreFormat<O> implements FormatProvider {
    private final String name;
    private final O defaults;
    private final Function<O, ReadFormat> format;
    private final Function<O, FileReads> files;

    protected CoreFormat(String name, O defaults, Function<O, ReadFormat> format, Function<O, FileReads> files) {
        this.name = name;
        this.defaults = defaults;
        this.format = format;
        this.files = files;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<String> extensions() {
        return format.apply(defaults).endings();
    }

    @Override
    public final Source open(List<String> paths, Object options) {
        @SuppressWarnings("unchecked") // By its class, which is all there is to it: none of the records has parameters.
        O given = (O) require(options, defaults);
        return FileSource.of(paths, format.apply(given), files.apply(given));
    }

    /// The options, or the defaults for null.
    ///
    /// @throws MillraceException culprit USER, for options of another format
    protected final <T> T require(Object options, T otherwise) {
        if (options != null && options.getClass() != otherwise.getClass()) {
            throw MillraceException.user("The options of '" + name + "' are a "
                    + otherwise.getClass().getSimpleName() + ", not a "
                    + options.getClass().getSimpleName() + ".");
        }
        @SuppressWarnings("unchecked") // Checked above.
        T given = options == null ? otherwise : (T) options;
        return given;
    }
}

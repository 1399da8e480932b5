package dev.millrace.internal.formats;

import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.sink.WriteFormatOptions;
import dev.millrace.source.FormatProvider;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.ReadFormatOptions;
import dev.millrace.source.Source;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A format whose options for reading are one record.
///
/// @param <O> the record
public abstract class CoreFormat<O extends ReadFormatOptions> implements FormatProvider {
    private final String name;
    private final List<String> endings;
    private final O defaults;
    private final BiFunction<List<String>, O, Source> source;

    /// A format that opens files by a source of its own.
    protected CoreFormat(String name, List<String> endings, O defaults, BiFunction<List<String>, O, Source> source) {
        this.name = name;
        this.endings = endings;
        this.defaults = defaults;
        this.source = source;
    }

    /// A format under [FileSource].
    protected CoreFormat(String name, O defaults, Function<O, ReadFormat> format) {
        this(
                name,
                format.apply(defaults).endings(),
                defaults,
                (paths, options) -> FileSource.of(paths, format.apply(options), options.files()));
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<String> extensions() {
        return endings;
    }

    @Override
    public final Source open(List<String> paths, @Nullable ReadFormatOptions options) {
        return source.apply(paths, require(options, defaults));
    }

    /// The options, or the defaults for null.
    ///
    /// @throws MillraceException culprit USER, for options of another format
    protected final <T> T require(@Nullable Object options, T otherwise) {
        if (options != null && options.getClass() != otherwise.getClass()) {
            throw MillraceException.user("The options of '" + name + "' are a "
                    + otherwise.getClass().getSimpleName() + ", not a "
                    + options.getClass().getSimpleName() + ".");
        }
        @SuppressWarnings("unchecked") // Checked above.
        T given = options == null ? otherwise : (T) options;
        return given;
    }

    /// Of a format that is written in one way only.
    ///
    /// @throws MillraceException culprit USER, for options of another format
    protected final void requireNone(@Nullable WriteFormatOptions options) {
        if (options != null) {
            throw MillraceException.user("The format '" + name + "' is written without options of its own, not with a "
                    + options.getClass().getSimpleName() + ". Give null.");
        }
    }
}

package dev.millrace.internal.formats;

import dev.millrace.internal.sink.ArrowFormat;
import dev.millrace.internal.source.ArrowReadFormat;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteArrow;
import dev.millrace.sink.WriteFormatOptions;
import dev.millrace.source.ReadArrow;
import org.jspecify.annotations.Nullable;

/// One class for each, as `ServiceLoader` wants it.
public final class CoreFormats {
    private CoreFormats() {}

    public static final class Arrow extends CoreFormat<ReadArrow> {
        public Arrow() {
            super("arrow", ReadArrow.defaults(), _ -> new ArrowReadFormat());
        }

        @Override
        public FileFormat writing(@Nullable WriteFormatOptions options) {
            return new ArrowFormat(require(options, WriteArrow.defaults()).compression());
        }
    }
}

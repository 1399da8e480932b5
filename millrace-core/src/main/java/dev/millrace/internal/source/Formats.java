package dev.millrace.internal.source;

import dev.millrace.error.MillraceException;
import dev.millrace.source.FormatProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;

/// The file formats on the class path.
public final class Formats {
    /// Which artifact brings a format that is known but not there.
    private static final Map<String, String> ARTIFACTS = Map.of("parquet", "dev.millrace:millrace-parquet");

    private Formats() {}

    /// @throws MillraceException culprit USER, naming the artifact to add, or the formats there are
    public static FormatProvider named(String name) {
        List<String> there = new ArrayList<>();
        for (FormatProvider format : ServiceLoader.load(FormatProvider.class)) {
            if (format.name().equals(name.toLowerCase(Locale.ROOT))) {
                return format;
            }
            there.add(format.name());
        }
        String artifact = ARTIFACTS.get(name.toLowerCase(Locale.ROOT));
        throw MillraceException.user(
                artifact == null
                        ? "There is no format '" + name + "'. The formats on the class path are " + there + "."
                        : "Reading " + name + " needs the artifact " + artifact + " on the class path. Add it.");
    }
}

package dev.millrace.internal.source;

import dev.millrace.error.MillraceException;
import dev.millrace.source.FormatProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/// The file formats on the class path.
public final class Formats {
    /// Which artifact brings a format that is known but not there.
    private static final Map<String, String> ARTIFACTS =
            Map.of("parquet", "dev.millrace:millrace-parquet", "images", "dev.millrace:millrace-images");

    /// Those that were found, by name: looking them up asks every jar on the class path.
    private static final Map<String, FormatProvider> FOUND = new ConcurrentHashMap<>();

    private Formats() {}

    /// @throws MillraceException culprit USER, naming the artifact to add, or the formats there are
    public static FormatProvider toRead(String name) {
        return named(name, "Reading ");
    }

    /// @throws MillraceException culprit USER, as for reading
    public static FormatProvider toWrite(String name) {
        return named(name, "Writing ");
    }

    private static FormatProvider named(String name, String verb) {
        FormatProvider known = FOUND.get(name);
        if (known != null) {
            return known;
        }
        List<String> there = new ArrayList<>();
        for (FormatProvider format : ServiceLoader.load(FormatProvider.class)) {
            if (format.name().equals(name.toLowerCase(Locale.ROOT))) {
                FOUND.put(name, format);
                return format;
            }
            there.add(format.name());
        }
        String artifact = ARTIFACTS.get(name.toLowerCase(Locale.ROOT));
        throw MillraceException.user(
                artifact == null
                        ? "There is no format '" + name + "'. The formats on the class path are " + there + "."
                        : verb + name + " needs the artifact " + artifact + " on the class path. Add it.");
    }
}

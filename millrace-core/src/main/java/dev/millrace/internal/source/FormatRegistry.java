package dev.millrace.internal.source;

import dev.millrace.error.MillraceException;
import dev.millrace.source.FormatProvider;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The file formats on the class path.
public final class FormatRegistry {
    /// The artifacts of formats that are known but not on the class path.
    private static final Map<String, String> ARTIFACTS = artifacts();

    /// A cache of found formats, by name: a lookup searches every jar on the class path.
    private static final Map<String, FormatProvider> FOUND = new ConcurrentHashMap<>();

    private FormatRegistry() {}

    private static Map<String, String> artifacts() {
        Map<String, String> artifacts = new HashMap<>();
        for (String name :
                List.of("audio", "avro", "binary", "csv", "json", "numpy", "text", "tfrecord", "webdataset")) {
            artifacts.put(name, "dev.millrace:millrace-formats");
        }
        artifacts.put("parquet", "dev.millrace:millrace-parquet");
        artifacts.put("images", "dev.millrace:millrace-images");
        return Map.copyOf(artifacts);
    }

    /// @throws MillraceException culprit USER, naming the artifact to add, or the available formats
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
        Set<String> there = new LinkedHashSet<>();
        // Uses the thread's class loader, which may know more than ours, or nothing of us.
        for (ServiceLoader<FormatProvider> formats : List.of(
                ServiceLoader.load(FormatProvider.class),
                ServiceLoader.load(FormatProvider.class, FormatRegistry.class.getClassLoader()))) {
            for (FormatProvider format : formats) {
                if (format.name().equals(name.toLowerCase(Locale.ROOT))) {
                    FOUND.put(name, format);
                    return format;
                }
                there.add(format.name());
            }
        }
        String artifact = ARTIFACTS.get(name.toLowerCase(Locale.ROOT));
        throw MillraceException.user(
                artifact == null
                        ? "There is no format '" + name + "'. The formats on the class path are " + there + "."
                        : verb + name + " needs the artifact " + artifact + " on the class path. Add it.");
    }
}

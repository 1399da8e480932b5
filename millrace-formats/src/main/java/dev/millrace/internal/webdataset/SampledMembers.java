package dev.millrace.internal.webdataset;

import dev.millrace.internal.jsonfile.JsonTexts;
import dev.millrace.internal.numpy.NpyValue;
import dev.millrace.source.ReadWebDataset;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Schema inference from the first samples of an archive. Extensions have the same meaning as in Ray Data: `txt` is
/// text, `cls` a number, `npy` a tensor, `json` its value; images and all others stay bytes.
final class SampledMembers {
    private static final int MAX_MEMBERS = 1_000;
    private static final long MAX_BYTES = 32 << 20;

    private SampledMembers() {}

    static Schema of(ArchiveSamples samples, ReadWebDataset options) throws IOException {
        Map<String, @Nullable DataType> found = new LinkedHashMap<>();
        if (options.extensions() != null) {
            options.extensions().forEach(name -> found.put(name, null));
        }
        Map<String, JsonTexts> values = new HashMap<>();
        long start = samples.in().position();
        for (int i = 0; i < MAX_MEMBERS && samples.in().position() - start < MAX_BYTES && samples.next(); i++) {
            String extension = samples.extension();
            if (options.extensions() == null || found.containsKey(extension)) {
                DataType type = options.types().get(extension);
                if (type == null && !options.isRaw() && isLast(extension, "json")) {
                    type = learn(samples, extension, values.computeIfAbsent(extension, _ -> new JsonTexts()));
                }
                found.put(extension, type == null ? typeOf(samples, extension, found.get(extension), options) : type);
            }
        }
        List<Field> fields = new ArrayList<>();
        fields.add(new Field(WebDatasetFormat.KEY, DataType.UTF8));
        found.forEach((name, type) -> {
            DataType given = options.types().get(name);
            fields.add(new Field(name, given != null ? given : type != null ? type : byName(name, options)));
        });
        options.types().forEach((name, type) -> {
            if (!found.containsKey(name)) {
                fields.add(new Field(name, type));
            }
        });
        return Schema.of(fields);
    }

    private static DataType learn(ArchiveSamples samples, String extension, JsonTexts texts) throws IOException {
        JsonMember.take(samples, extension, texts);
        try {
            texts.learn();
            return texts.type();
        } catch (IllegalArgumentException e) {
            throw JsonMember.wrong(samples, extension, e);
        }
    }

    private static DataType typeOf(
            ArchiveSamples samples, String extension, @Nullable DataType before, ReadWebDataset options)
            throws IOException {
        if (options.isRaw() || !isLast(extension, "npy")) {
            return byName(extension, options);
        }
        DataType array = NpyValue.begin(samples.in(), samples.size()).type();
        if (before == null || before.equals(array)) {
            return array;
        }
        if (array instanceof DataType.Tensor tensor) {
            DataType variable =
                    DataType.variableTensor(tensor.element(), tensor.shape().size());
            boolean alike = before.equals(variable)
                    || before instanceof DataType.Tensor other
                            && other.element().equals(tensor.element())
                            && other.shape().size() == tensor.shape().size();
            if (alike) {
                return variable;
            }
        }
        throw samples.in()
                .malformed("'" + samples.memberText() + "' is a " + array + ", and those before were " + before
                        + ". Read them as bytes: ReadWebDataset.defaults().type(\"" + extension
                        + "\", DataType.BINARY)");
    }

    private static DataType byName(String extension, ReadWebDataset options) {
        if (options.isRaw()) {
            return DataType.BINARY;
        }
        return switch (extension.substring(extension.lastIndexOf('.') + 1)) {
            case "txt", "text", "json" -> DataType.UTF8;
            case "cls", "cls2", "index" -> DataType.INT64;
            default -> DataType.BINARY;
        };
    }

    static boolean isLast(String extension, String name) {
        return extension.equals(name) || extension.endsWith("." + name);
    }
}

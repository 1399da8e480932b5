package dev.millrace.internal.avro;

import dev.millrace.internal.avro.AvroType.Kind;
import dev.millrace.internal.avro.AvroType.Logical;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses the JSON of a schema into types.
final class AvroSchema {
    /// The maximum nesting depth of definitions.
    private static final int MAX_DEPTH = 64;

    private final Map<String, AvroType> named = new HashMap<>();

    private final @Nullable DataType wideDecimals;

    private AvroSchema(@Nullable DataType wideDecimals) {
        this.wideDecimals = wideDecimals;
    }

    /// @param json strings, numbers, booleans, lists and maps
    /// @param wideDecimals how decimals with more than 38 digits are read; null if they are errors
    /// @throws IllegalArgumentException if the schema is invalid, with the reason
    static AvroType of(@Nullable Object json, @Nullable DataType wideDecimals) {
        return new AvroSchema(wideDecimals).type(json, "", 0);
    }

    private AvroType type(@Nullable Object json, String namespace, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("its types lie more than " + MAX_DEPTH + " deep in each other");
        }
        return switch (json) {
            case String name -> byName(name, namespace);
            case List<?> branches -> union(branches, namespace, depth);
            case Map<?, ?> definition -> definition(definition, namespace, depth);
            case null, default -> throw new IllegalArgumentException("a type is " + json);
        };
    }

    private AvroType byName(String name, String namespace) {
        for (Kind kind : Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(name)) {
                return AvroType.Primitive.of(kind);
            }
        }
        AvroType found = named.get(fullName(name, namespace));
        found = found == null ? named.get(name) : found;
        if (found == null) {
            throw new IllegalArgumentException("there is no type '" + name + "'");
        }
        return found;
    }

    private static String fullName(String name, String namespace) {
        return name.indexOf('.') >= 0 || namespace.isEmpty() ? name : namespace + "." + name;
    }

    private AvroType union(List<?> branches, String namespace, int depth) {
        List<AvroType> types = new ArrayList<>();
        for (Object branch : branches) {
            AvroType type = type(branch, namespace, depth + 1);
            if (type instanceof AvroType.Union) {
                throw new IllegalArgumentException("a union lies in a union");
            }
            types.add(type);
        }
        if (types.isEmpty()) {
            throw new IllegalArgumentException("a union is empty");
        }
        return new AvroType.Union(types);
    }

    private AvroType definition(Map<?, ?> json, String namespace, int depth) {
        Object type = json.get("type");
        return type instanceof String word
                ? definition(word, json, namespace, depth)
                : type(type, namespace, depth + 1);
    }

    private AvroType definition(String word, Map<?, ?> json, String namespace, int depth) {
        return switch (word) {
            case "record", "error" -> composite(json, namespace, depth);
            case "enum" -> register(json, namespace, new AvroType.Enumeration(symbols(json)));
            case "fixed" -> register(json, namespace, fixed(json));
            case "array" -> new AvroType.Array(type(json.get("items"), namespace, depth + 1));
            case "map" -> new AvroType.MapOf(type(json.get("values"), namespace, depth + 1));
            default -> {
                AvroType plain = byName(word, namespace);
                yield plain instanceof AvroType.Primitive primitive ? logical(primitive.kind(), json) : plain;
            }
        };
    }

    private AvroType composite(Map<?, ?> json, String namespace, int depth) {
        AvroType.Composite composite = new AvroType.Composite(nameOf(json));
        register(json, namespace, composite);
        if (!(json.get("fields") instanceof List<?> fields)) {
            throw new IllegalArgumentException("the record '" + composite.name() + "' has no fields");
        }
        List<AvroType.Member> members = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Object field : fields) {
            if (!(field instanceof Map<?, ?> definition) || !(definition.get("name") instanceof String name)) {
                throw new IllegalArgumentException("a field of the record '" + composite.name() + "' has no name");
            }
            if (!names.add(name)) {
                throw new IllegalArgumentException(
                        "the record '" + composite.name() + "' has two fields '" + name + "'");
            }
            members.add(
                    new AvroType.Member(name, type(definition.get("type"), namespaceOf(json, namespace), depth + 1)));
        }
        composite.members(members);
        return composite;
    }

    private static String nameOf(Map<?, ?> json) {
        if (json.get("name") instanceof String name && !name.isEmpty()) {
            return name;
        }
        throw new IllegalArgumentException("a type '" + json.get("type") + "' has no name");
    }

    private static String namespaceOf(Map<?, ?> json, String around) {
        String name = nameOf(json);
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : json.get("namespace") instanceof String own ? own : around;
    }

    private AvroType register(Map<?, ?> json, String namespace, AvroType type) {
        named.put(fullName(nameOf(json), namespaceOf(json, namespace)), type);
        return type;
    }

    private static List<String> symbols(Map<?, ?> json) {
        List<String> symbols = new ArrayList<>();
        if (json.get("symbols") instanceof List<?> all) {
            for (Object symbol : all) {
                symbols.add(String.valueOf(symbol));
            }
        }
        return symbols;
    }

    private AvroType fixed(Map<?, ?> json) {
        int size = number(json, "size", -1);
        if (size < 0) {
            throw new IllegalArgumentException("the fixed type '" + json.get("name") + "' has no size");
        }
        Logical logical = logicalOf(json);
        boolean known = logical == Logical.DECIMAL && isDecimal(json) || logical == Logical.UUID && size == 16;
        return new AvroType.Fixed(
                size,
                known ? logical : Logical.NONE,
                number(json, "precision", 0),
                number(json, "scale", 0),
                wideDecimals);
    }

    /// A logical type that does not fit its encoding is ignored, as Avro specifies.
    private AvroType logical(Kind kind, Map<?, ?> json) {
        Logical logical = logicalOf(json);
        boolean known = switch (logical) {
            case NONE -> false;
            case DECIMAL -> kind == Kind.BYTES && isDecimal(json);
            case DATE, TIME_MILLIS -> kind == Kind.INT;
            case UUID -> kind == Kind.STRING;
            default -> kind == Kind.LONG;
        };
        return known
                ? new AvroType.Primitive(
                        kind, logical, number(json, "precision", 0), number(json, "scale", 0), wideDecimals)
                : AvroType.Primitive.of(kind);
    }

    private static Logical logicalOf(Map<?, ?> json) {
        if (json.get("logicalType") instanceof String name) {
            for (Logical logical : Logical.values()) {
                if (logical.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(name)) {
                    return logical;
                }
            }
        }
        return Logical.NONE;
    }

    private static boolean isDecimal(Map<?, ?> json) {
        int precision = number(json, "precision", 0);
        int scale = number(json, "scale", 0);
        return precision >= 1 && scale >= 0 && scale <= precision;
    }

    private static int number(Map<?, ?> json, String key, int otherwise) {
        return json.get(key) instanceof Number number && number.longValue() == number.intValue()
                ? number.intValue()
                : otherwise;
    }
}

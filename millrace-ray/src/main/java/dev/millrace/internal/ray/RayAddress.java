package dev.millrace.internal.ray;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What `Session.connect` is told of a Ray cluster: `ray://head:6379`, or `ray://auto` for the one that this machine
/// belongs to, and after a question mark what each node's worker is to have, e.g. `ray://head:6379?cpus=4&memory=8g`.
///
/// @param address host and port of the head, or "auto"
/// @param cpus that Ray reserves for the worker of each node; null: all of the node
/// @param gpus likewise
/// @param memory bytes of blocks of each worker; null: a share of the node's
/// @param python the interpreter that has Ray; null: it is looked for
/// @param java the home of Java on the nodes; null: it is looked for there
record RayAddress(
        String address,
        @Nullable Double cpus,
        @Nullable Double gpus,
        @Nullable Long memory,
        @Nullable String python,
        @Nullable String java) {
    static final String SCHEME = "ray";
    private static final String EXAMPLE = "ray://head:6379";
    private static final List<String> OPTIONS = List.of("cpus", "gpus", "memory", "python", "java");

    static RayAddress parse(String text) {
        String rest = text.startsWith(SCHEME + "://") ? text.substring(SCHEME.length() + 3) : "";
        int question = rest.indexOf('?');
        String address = question < 0 ? rest : rest.substring(0, question);
        if (!address.equals("auto") && !address.matches("(\\[[0-9a-fA-F:.]+]|[^:/\\[\\]\\s]+):[0-9]{1,5}")) {
            throw MillraceException.user(
                    "'" + text + "' is no address of a Ray cluster. It needs host and port of its head," + " e.g. "
                            + EXAMPLE + ", or ray://auto for the cluster that this machine belongs to.");
        }
        Map<String, String> options = question < 0 ? Map.of() : options(text, rest.substring(question + 1));
        return new RayAddress(
                address,
                number(options, "cpus"),
                number(options, "gpus"),
                bytes(options),
                options.get("python"),
                options.get("java"));
    }

    /// Why a worker never has this much, as a part of a sentence; null if the address does not forbid it.
    @Nullable
    String beyondReserved(Resources need) {
        if (cpus != null && need.cpus() > cpus) {
            return "the address reserves " + cpus + " CPUs on each node; ask for more with ?cpus=N";
        }
        return gpus != null && need.gpus() > gpus
                ? "the address reserves " + gpus + " GPUs on each node; ask for more with ?gpus=N"
                : null;
    }

    private static Map<String, String> options(String text, String query) {
        Map<String, String> options = new HashMap<>();
        for (String part : query.split("&", -1)) {
            int equal = part.indexOf('=');
            String name = equal < 0 ? part : part.substring(0, equal);
            if (!OPTIONS.contains(name)) {
                throw MillraceException.user("The address '" + text + "' has an option '" + name + "'. There are "
                        + String.join(", ", OPTIONS) + ", e.g. " + EXAMPLE + "?cpus=4&memory=8g.");
            }
            options.put(name, URLDecoder.decode(part.substring(equal + 1), StandardCharsets.UTF_8));
        }
        return options;
    }

    private static @Nullable Double number(Map<String, String> options, String name) {
        String text = options.get(name);
        if (text == null) {
            return null;
        }
        try {
            double number = Double.parseDouble(text);
            if (number >= 0 && number < 1e6 && (number > 0 || !name.equals("cpus"))) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw MillraceException.user(
                "The option " + name + " of a Ray address is a number of " + name + " per node, not '" + text + "'.");
    }

    private static @Nullable Long bytes(Map<String, String> options) {
        String text = options.get("memory");
        if (text == null) {
            return null;
        }
        String number = text.toLowerCase(Locale.ROOT);
        int shift = number.endsWith("k") ? 10 : number.endsWith("m") ? 20 : number.endsWith("g") ? 30 : 0;
        String digits = shift == 0 ? number : number.substring(0, number.length() - 1);
        if (!digits.matches("[0-9]{1,9}") && !(shift == 0 && digits.matches("[0-9]{1,15}"))) {
            throw MillraceException.user(
                    "The option memory of a Ray address is a number of bytes per node, such as 8g or 512m, not '" + text
                            + "'.");
        }
        return Long.parseLong(digits) << shift;
    }
}

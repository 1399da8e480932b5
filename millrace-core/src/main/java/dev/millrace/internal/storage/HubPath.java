package dev.millrace.internal.storage;

import dev.millrace.error.MillraceException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A path of Hugging Face's hub: `hf://datasets/owner/name@revision/folder/file`, `hf://spaces/...`, or
/// `hf://owner/name/...` for a model. The revision is `main` if none is given.
///
/// @param kind "datasets", "spaces" or "models"
/// @param repository "owner/name"
/// @param file the path in the repository, without a slash at its ends; empty for all of it
record HubPath(String kind, String repository, String revision, String file) {
    private static final String SCHEME = "hf://";
    private static final String MAIN = "main";

    static HubPath of(String path) {
        List<String> parts =
                new ArrayList<>(Arrays.asList(path.substring(SCHEME.length()).split("/", -1)));
        parts.removeIf(String::isEmpty);
        boolean named =
                !parts.isEmpty() && List.of("datasets", "spaces", "models").contains(parts.getFirst());
        String kind = named ? parts.removeFirst() : "models";
        if (parts.size() < 2) {
            throw MillraceException.user("'" + path + "' names no repository of the hub. Paths are"
                    + " hf://datasets/OWNER/NAME/FILE, or hf://datasets/OWNER/NAME@REVISION/FILE.");
        }
        String owner = parts.removeFirst();
        String name = parts.removeFirst();
        int at = name.indexOf('@');
        return new HubPath(
                kind,
                owner + "/" + (at < 0 ? name : name.substring(0, at)),
                at < 0 ? MAIN : name.substring(at + 1),
                String.join("/", parts));
    }

    /// The path of another file of the repository, as a user would write it.
    String path(String other) {
        return SCHEME + (kind.equals("models") ? "" : kind + "/") + repository
                + (revision.equals(MAIN) ? "" : "@" + revision) + "/" + other;
    }

    /// The address of the file.
    String address() {
        return endpoint() + "/" + (kind.equals("models") ? "" : kind + "/") + repository + "/resolve/"
                + escaped(revision) + "/" + escapedParts(file);
    }

    /// The address of the list of what is below it.
    String listing(boolean recursive) {
        return endpoint() + "/api/" + kind + "/" + repository + "/tree/" + escaped(revision)
                + (file.isEmpty() ? "" : "/" + escapedParts(file)) + (recursive ? "?recursive=true" : "");
    }

    /// As Hugging Face's own tools: `HF_ENDPOINT`, else the public hub.
    private static String endpoint() {
        String property = System.getProperty("millrace.hub");
        String named = property != null ? property : System.getenv("HF_ENDPOINT");
        String endpoint = named == null || named.isBlank() ? "https://huggingface.co" : named.strip();
        return endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint;
    }

    private static String escapedParts(String path) {
        return String.join(
                "/", Arrays.stream(path.split("/", -1)).map(HubPath::escaped).toList());
    }

    private static String escaped(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}

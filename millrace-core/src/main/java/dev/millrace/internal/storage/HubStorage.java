package dev.millrace.internal.storage;

import dev.millrace.internal.json.JsonText;
import dev.millrace.memory.Allocator;
import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.Storage;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Public files of Hugging Face's hub, or of another server with its interface, to read:
/// `hf://datasets/owner/name/...`.
/// Files are read as those of any web server; folders are listed by the hub.
final class HubStorage implements Storage {
    private static final Pattern NEXT = Pattern.compile("<([^>]+)>\\s*;\\s*rel=\"next\"");
    /// The order of a walk: folder by folder, names in their order.
    private static final Comparator<StoredFile> ORDER =
            (a, b) -> Arrays.compare(a.path().split("/", -1), b.path().split("/", -1));

    private final HttpStorage web;

    HubStorage(HttpStorage web) {
        this.web = web;
    }

    @Override
    public List<String> schemes() {
        return List.of("hf");
    }

    @Override
    public Optional<StoredFile> find(String path) throws IOException {
        HubPath hub = HubPath.of(path);
        if (hub.file().isEmpty()) {
            return Optional.empty();
        }
        return web.find(hub.address()).map(file -> new StoredFile(path, file.bytes(), file.version()));
    }

    @Override
    public boolean isFolder(String path) throws IOException {
        return !list(HubPath.of(path), false).isEmpty();
    }

    @Override
    public Iterator<StoredFile> walk(String folder) throws IOException {
        HubPath hub = HubPath.of(folder);
        List<StoredFile> files = new ArrayList<>();
        for (Map<?, ?> entry : list(hub, true)) {
            String file = String.valueOf(entry.get("path"));
            String below =
                    hub.file().isEmpty() ? file : file.substring(hub.file().length() + 1);
            boolean hidden = ("/" + below).contains("/.") || ("/" + below).contains("/_");
            if ("file".equals(entry.get("type")) && !hidden) {
                long bytes = entry.get("size") instanceof Number size ? size.longValue() : -1;
                files.add(new StoredFile(hub.path(file), bytes));
            }
        }
        files.sort(ORDER);
        return files.iterator();
    }

    @Override
    public List<String> names(String folder, int most) throws IOException {
        return list(HubPath.of(folder), false).stream()
                .map(entry -> String.valueOf(entry.get("path")))
                .map(path -> path.substring(path.lastIndexOf('/') + 1))
                .sorted()
                .limit(most)
                .toList();
    }

    @Override
    public StoredFile current(StoredFile file) {
        try {
            return file.version() != null ? file : find(file.path()).orElse(file);
        } catch (IOException _) {
            // Whoever opens it says what is wrong.
            return file;
        }
    }

    @Override
    public RandomFile open(StoredFile file, Allocator allocator) throws IOException {
        return web.open(new StoredFile(HubPath.of(file.path()).address(), file.bytes(), file.version()), allocator);
    }

    @Override
    public void readWhole(String path, Room room) throws IOException {
        web.readWhole(HubPath.of(path).address(), room);
    }

    /// What is below a folder, page by page; nothing if there is no such folder.
    private static List<Map<?, ?>> list(HubPath hub, boolean recursive) throws IOException {
        List<Map<?, ?>> entries = new ArrayList<>();
        Optional<String> next = Optional.of(hub.listing(recursive));
        while (next.isPresent()) {
            String address = next.get();
            next = HttpCalls.get(address, null, answer -> page(address, answer, entries));
        }
        return entries;
    }

    /// Adds the entries of a page; returns the address of the next one.
    private static Optional<String> page(String address, HttpResponse<InputStream> answer, List<Map<?, ?>> entries)
            throws IOException {
        if (HttpCalls.isMissing(answer) || answer.statusCode() == 400) {
            return Optional.empty();
        }
        HttpCalls.requireBytes(address, answer);
        try {
            if (JsonText.parse(answer.body().readAllBytes()) instanceof List<?> list) {
                list.forEach(entry -> entries.add((Map<?, ?>) entry));
                Matcher next = NEXT.matcher(answer.headers().firstValue("Link").orElse(""));
                return next.find() ? Optional.of(next.group(1)) : Optional.empty();
            }
        } catch (IllegalArgumentException | ClassCastException e) {
            throw new LastingIOException("'" + address + "' gave no list of files: " + e.getMessage(), e);
        }
        throw new LastingIOException("'" + address + "' gave no list of files.", null);
    }
}

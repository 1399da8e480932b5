package dev.millrace.internal.cluster.code;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/// The code of a driver: the jars and folders of its class path, and what its class loader finds beside them. Answers
/// the questions of all workers; thread-safe. Files are read when they are asked for, and must stay as they were.
public final class DriverCode implements CodeSupply, AutoCloseable {
    private static final String VERSIONS = CodeIndex.META + "versions/";

    private final ClassLoader loader;
    private final List<Item> items = new ArrayList<>();
    private final CodeIndex index;

    /// One entry: guarded by itself.
    private static final class Item {
        final Path path;
        final List<String> files;

        @Nullable
        CodeContent content;
        /// What is sent: the jar itself, or an archive of the folder in a file of ours.
        @Nullable
        Path sent;

        /// @param files of a folder
        Item(Path path, List<String> files) {
            this.path = path;
            this.files = files;
        }
    }

    /// @param loader finds classes that are not on the class path
    public static DriverCode ofThisProcess(ClassLoader loader) {
        return new DriverCode(ClassPathFiles.ofThisProcess(), loader);
    }

    DriverCode(List<Path> classPath, ClassLoader loader) {
        this.loader = loader;
        List<CodeIndex.Entry> entries = new ArrayList<>();
        for (Path path : classPath) {
            try {
                boolean folder = Files.isDirectory(path);
                List<String> files = folder ? FolderFiles.list(path) : filesOf(path);
                if (!files.isEmpty()) {
                    items.add(new Item(path, folder ? files : List.of()));
                    entries.add(new CodeIndex.Entry(
                            path.toString(),
                            folder,
                            folder ? 0 : Files.size(path),
                            CodeHash.stamp(path, folder ? files : List.of()),
                            places(files)));
                }
            } catch (IOException e) {
                // Not a jar, or gone: Java finds no class in it either.
            }
        }
        this.index = new CodeIndex(
                MillraceVersion.ofThisProcess(), !loader.equals(ClassLoader.getSystemClassLoader()), entries);
    }

    private static List<String> filesOf(Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile(), false)) {
            return jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(JarEntry::getName)
                    .toList();
        }
    }

    private static Set<String> places(List<String> files) {
        Set<String> places = new LinkedHashSet<>();
        for (String file : files) {
            String name = file;
            if (file.startsWith(VERSIONS)) {
                name = file.substring(file.indexOf('/', VERSIONS.length()) + 1);
            } else if (file.startsWith(CodeIndex.META)) {
                places.add(file);
                continue;
            }
            int slash = name.lastIndexOf('/');
            places.add(slash < 0 ? "" : name.substring(0, slash));
        }
        return places;
    }

    public CodeIndex index() {
        return index;
    }

    @Override
    public CodeContent content(int entry) throws IOException {
        Item item = item(entry);
        synchronized (item) {
            if (item.content == null) {
                item.content = item.files.isEmpty() ? ofJar(item) : ofFolder(item);
            }
            return item.content;
        }
    }

    private static CodeContent ofJar(Item item) throws IOException {
        item.sent = item.path;
        return new CodeContent(CodeHash.ofFile(item.path), Files.size(item.path));
    }

    private static CodeContent ofFolder(Item item) throws IOException {
        Path archive = Files.createTempFile("millrace-code", ".zip");
        archive.toFile().deleteOnExit();
        FolderFiles.archive(item.path, item.files, archive);
        item.sent = archive;
        // Of the archive, not of the folder, which a compiler may be writing to: what is sent must fit to its hash.
        return new CodeContent(CodeHash.ofArchive(archive), Files.size(archive));
    }

    private Item item(int entry) throws IOException {
        if (entry < 0 || entry >= items.size()) {
            throw new IOException("there is no entry " + entry + " in a class path of " + items.size());
        }
        return items.get(entry);
    }

    @Override
    public byte[] part(int entry, long offset) throws IOException {
        CodeContent content = content(entry);
        Item item = item(entry);
        Path sent;
        synchronized (item) {
            sent = item.sent;
        }
        if (sent == null || offset < 0) {
            throw new IOException("the content of " + item.path.getFileName() + " is not there any more");
        }
        int length = (int) Math.max(0, Math.min(PART_BYTES, content.bytes() - offset));
        byte[] part = new byte[length];
        try (RandomAccessFile file = new RandomAccessFile(sent.toFile(), "r")) {
            file.seek(offset);
            file.readFully(part);
        }
        return part;
    }

    @Override
    public byte @Nullable [] find(String path) throws IOException {
        try (InputStream in = loader.getResourceAsStream(path)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    /// Deletes the archives of folders.
    @Override
    public void close() {
        for (Item item : items) {
            synchronized (item) {
                if (item.sent != null && !item.sent.equals(item.path)) {
                    var _ = item.sent.toFile().delete();
                }
                item.sent = null;
            }
        }
    }
}

package dev.millrace.internal.cluster.code;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// Hashes of the content of class path entries. A jar's is that of its bytes. A folder's is that of the names and
/// contents of its files in the order of their names, however they are packed into an archive.
final class CodeHash {
    private static final int BUFFER = 1 << 16;

    private CodeHash() {}

    static String ofFile(Path file) throws IOException {
        MessageDigest digest = digest();
        try (InputStream in = Files.newInputStream(file)) {
            update(digest, in);
        }
        return text(digest);
    }

    /// Of the folder that an archive was made of.
    static String ofArchive(Path archive) throws IOException {
        MessageDigest digest = digest();
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            List<? extends ZipEntry> entries =
                    zip.stream().sorted(Comparator.comparing(ZipEntry::getName)).toList();
            for (ZipEntry entry : entries) {
                enter(digest, entry.getName(), entry.getSize());
                try (InputStream in = zip.getInputStream(entry)) {
                    update(digest, in);
                }
            }
        }
        return text(digest);
    }

    /// A number of the names, sizes and times of files, without their contents.
    ///
    /// @param files below `path`, or none: then of the file itself
    static long stamp(Path path, List<String> files) throws IOException {
        long stamp = 1;
        for (String name : files.isEmpty() ? List.of("") : files) {
            BasicFileAttributes file = Files.readAttributes(path.resolve(name), BasicFileAttributes.class);
            stamp = 31 * stamp + name.hashCode();
            stamp = 31 * stamp + file.size();
            stamp = 31 * stamp + file.lastModifiedTime().toMillis();
        }
        return stamp;
    }

    private static void enter(MessageDigest digest, String name, long bytes) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(text.length)
                .putLong(bytes)
                .flip());
        digest.update(text);
    }

    private static void update(MessageDigest digest, InputStream in) throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            digest.update(buffer, 0, read);
        }
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String text(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }
}

package dev.millrace.internal.cluster.code;

/// What identifies the content of an entry of a class path.
///
/// @param hash SHA-256 in hexadecimal digits: of the bytes of a jar, or of the names and contents of the files of a
///     folder ([CodeHash])
/// @param bytes the size of what is sent: of the jar, or of an archive of the folder
public record CodeContent(String hash, long bytes) {
    public CodeContent {
        if (!hash.matches("[0-9a-f]{64}") || bytes < 0) {
            throw new IllegalArgumentException("no content of a class path: " + hash + ", " + bytes + " bytes");
        }
    }
}

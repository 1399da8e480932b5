package dev.millrace.internal.webdataset;

import dev.millrace.internal.binary.FeedReader;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Iterates over the members of an archive, with the key of their sample and the extension that names their column:
/// `folder/KEY.EXTENSION`, where the extension is everything after the first dot. Members without an extension, and
/// hidden ones, belong to no sample.
final class ArchiveSamples implements AutoCloseable {
    private final TarReader tar;
    private int keyLength;
    private byte[] sample = new byte[256];
    private int sampleLength = -1;

    ArchiveSamples(FileRange range, Allocator allocator) throws IOException {
        this.tar = new TarReader(range, allocator);
    }

    /// Advances to the next member.
    boolean next() throws IOException {
        while (tar.next()) {
            byte[] name = tar.name();
            int length = tar.nameLength();
            int base = length;
            while (base > 0 && name[base - 1] != '/') {
                base--;
            }
            int dot = base;
            while (dot < length && name[dot] != '.') {
                dot++;
            }
            if (dot > base && dot < length - 1) {
                keyLength = dot;
                return true;
            }
        }
        return false;
    }

    /// True if the member does not belong to the sample started by [#beginSample].
    boolean isNewSample() {
        return sampleLength != keyLength || !Arrays.equals(tar.name(), 0, keyLength, sample, 0, keyLength);
    }

    void beginSample() {
        if (sample.length < keyLength) {
            sample = new byte[2 * keyLength];
        }
        System.arraycopy(tar.name(), 0, sample, 0, keyLength);
        sampleLength = keyLength;
    }

    /// The name of the member: the key in its first [#keyLength] bytes, then a dot.
    byte[] name() {
        return tar.name();
    }

    int keyLength() {
        return keyLength;
    }

    boolean hasExtension(byte[] extension) {
        return Arrays.equals(tar.name(), keyLength + 1, tar.nameLength(), extension, 0, extension.length);
    }

    String extension() {
        return new String(tar.name(), keyLength + 1, tar.nameLength() - keyLength - 1, StandardCharsets.UTF_8);
    }

    String memberText() {
        return tar.nameText();
    }

    /// The size of the member, which begins at the reader's position.
    long size() {
        return tar.size();
    }

    FeedReader in() {
        return tar.in();
    }

    @Override
    public void close() throws IOException {
        tar.close();
    }
}

package dev.millrace.benchmarks.workload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/// The throughput of a plain loop over a file in the folder for temporary files, in millions of bytes per second.
///
/// @param write until the last write returned: the speed of the page cache
/// @param synced until all data is on disk
/// @param read immediately after, from the page cache as far as it holds the data
/// @param direct from disk, bypassing the page cache; 0 if the file system does not support it
record DiskSpeed(double write, double synced, double read, double direct) {
    private static final int CHUNK = 4 << 20;
    private static final int ALIGNMENT = 4 << 10;

    static DiskSpeed of(long bytes) throws IOException {
        Path path = Files.createTempFile("millrace-disk-speed", null);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
            byte[] random = new byte[CHUNK];
            new Random(1).nextBytes(random);
            chunk.put(random);
            long began = System.nanoTime();
            for (long at = 0; at < bytes; at += channel.write(chunk.clear())) {}
            double write = rate(bytes, began);
            channel.force(true);
            double synced = rate(bytes, began);
            began = System.nanoTime();
            for (long at = 0; at < bytes; at += channel.read(chunk.clear(), at)) {}
            double read = rate(bytes, began);
            return new DiskSpeed(write, synced, read, direct(path, bytes));
        } finally {
            Files.delete(path);
        }
    }

    private static double direct(Path path, long bytes) {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK + ALIGNMENT).alignedSlice(ALIGNMENT);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, directOption())) {
            long began = System.nanoTime();
            long whole = bytes / CHUNK * CHUNK;
            for (long at = 0; at < whole; at += channel.read(chunk.clear().limit(CHUNK), at)) {}
            return rate(whole, began);
        } catch (IOException | UnsupportedOperationException _) {
            return 0;
        }
    }

    /// `ExtendedOpenOption.DIRECT`, found by its name: the compiler warns of each use of its class.
    private static OpenOption directOption() {
        try {
            for (Object option :
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                if (option instanceof OpenOption direct && option.toString().equals("DIRECT")) {
                    return direct;
                }
            }
        } catch (ClassNotFoundException _) {
            // This Java has no such option.
        }
        throw new UnsupportedOperationException("Files cannot be opened without the page cache");
    }

    private static double rate(long bytes, long began) {
        return bytes / 1e6 / ((System.nanoTime() - began) / 1e9);
    }
}

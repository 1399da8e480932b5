package dev.millrace.internal.python;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Memory that a worker has made and this process has mapped. It has no name in a file system, or loses it here, so it
/// ends with the last process that maps it.
record SharedSegment(long number, MemorySegment memory, Arena arena) {
    /// Maps what the worker announced.
    ///
    /// @param path of the file; empty for memory without a name
    static SharedSegment map(long pid, long number, long file, long size, String path) throws IOException {
        Path place = path.isEmpty() ? Path.of("/proc/" + pid + "/fd/" + file) : Path.of(path);
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(place, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (!path.isEmpty()) {
                Files.delete(place);
            }
            return new SharedSegment(number, channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena), arena);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    void unmap() {
        arena.close();
    }
}

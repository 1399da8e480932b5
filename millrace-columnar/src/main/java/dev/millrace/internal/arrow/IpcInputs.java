package dev.millrace.internal.arrow;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.ByteFeed;
import dev.millrace.storage.RandomFile;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;

/// Opens the kinds of [IpcInput].
public final class IpcInputs {
    private IpcInputs() {}

    public static IpcInput stream(ReadableByteChannel channel, Allocator allocator) {
        return ChannelInput.stream("Arrow stream", channel, allocator);
    }

    public static IpcInput file(Path path, FileChannel channel, long from, long end, Allocator allocator) {
        return ChannelInput.file("Arrow file " + path, channel, from, end, allocator);
    }

    public static IpcInput file(RandomFile file, long from, long end, Allocator allocator) {
        return ChannelInput.file("Arrow file " + file.file().path(), file, from, end, allocator);
    }

    public static IpcInput stream(String path, ByteFeed feed, Allocator allocator) {
        return ChannelInput.feed("Arrow stream " + path, feed, allocator);
    }

    public static IpcInput memory(Buffer bytes, Allocator allocator) {
        return memory("Arrow stream in memory", bytes, 0, bytes.size(), allocator);
    }

    /// Reads `from` to `end` of memory, which the caller keeps alive while the source is used.
    public static IpcInput memory(String name, Buffer bytes, long from, long end, Allocator allocator) {
        return new MemoryInput(name, bytes, from, end, allocator);
    }
}

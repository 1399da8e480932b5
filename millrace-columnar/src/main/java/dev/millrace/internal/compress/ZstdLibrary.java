package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.airlift.compress.v3.internal.NativeLoader;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// The streaming functions of the libzstd that is bundled with aircompressor for Linux and macOS (aircompressor itself
/// uses only those for whole buffers).
final class ZstdLibrary {
    /// Null if there is no library for this machine.
    static final @Nullable ZstdLibrary INSTANCE = load();

    private final MethodHandle estimateSize;
    private final MethodHandle initStatic;
    private final MethodHandle decompress;
    private final MethodHandle isError;
    private final MethodHandle errorName;

    private ZstdLibrary(SymbolLookup symbols) {
        MemoryLayout size = JAVA_LONG;
        estimateSize = bind(symbols, "ZSTD_estimateDStreamSize", size, size);
        initStatic = bind(symbols, "ZSTD_initStaticDStream", ADDRESS, ADDRESS, size);
        decompress = bind(
                symbols,
                "ZSTD_decompressStream_simpleArgs",
                size,
                ADDRESS,
                ADDRESS,
                size,
                ADDRESS,
                ADDRESS,
                size,
                ADDRESS);
        isError = bind(symbols, "ZSTD_isError", JAVA_INT, size);
        errorName = bind(symbols, "ZSTD_getErrorName", ADDRESS, size);
    }

    private static @Nullable ZstdLibrary load() {
        try {
            return new ZstdLibrary(NativeLoader.loadLibrary("zstd"));
        } catch (LinkageError | RuntimeException _) {
            return null;
        }
    }

    private static MethodHandle bind(
            SymbolLookup symbols, String name, MemoryLayout result, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(symbols.findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    /// The memory that a stream with this window needs.
    long streamBytes(long window) {
        try {
            return (long) estimateSize.invokeExact(window);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// A stream in `memory`, which has [#streamBytes] and is aligned to 8. It needs no cleanup.
    MemorySegment stream(MemorySegment memory) {
        try {
            MemorySegment stream = (MemorySegment) initStatic.invokeExact(memory, memory.byteSize());
            if (stream.address() == 0) {
                throw new IllegalStateException("libzstd made no stream in " + memory.byteSize() + " bytes");
            }
            return stream;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// @param outDone a long, advanced by the number of bytes written to `out`
    /// @param inDone a long, advanced by the number of bytes consumed from `in`
    /// @return 0 at the end of a frame, an error code for which [#error] has a message, or another value
    long decompress(
            MemorySegment stream, MemorySegment out, MemorySegment outDone, MemorySegment in, MemorySegment inDone) {
        try {
            return (long) decompress.invokeExact(stream, out, out.byteSize(), outDone, in, in.byteSize(), inDone);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// The message if a result of [#decompress] is an error; otherwise null.
    @Nullable
    String error(long result) {
        try {
            if ((int) isError.invokeExact(result) == 0) {
                return null;
            }
            MemorySegment name = (MemorySegment) errorName.invokeExact(result);
            return name.reinterpret(256).getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.millrace.internal.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.models.ClassPathFile;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.storage.LastingIOException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Files that models need, local or in a storage.
final class ModelFile {
    private static final int SHOWN = 8;

    private ModelFile() {}

    /// A session for the file; a local file is opened by its path, so that external weights beside it are found.
    static OrtSession open(OrtEnvironment environment, String path, OrtSession.SessionOptions options) {
        try {
            if (isLocal(path)) {
                Path file = local(path);
                requireFile(file);
                return environment.createSession(file.toString(), options);
            }
            return environment.createSession(bytes(path), options);
        } catch (OrtException e) {
            if (OnnxErrors.isOutOfMemory(e)) {
                throw MemoryRefused.elsewhere("There is no memory to load '" + path + "': " + OnnxErrors.text(e), e);
            }
            throw new MillraceException(Culprit.USER, notAModel(path, e), e);
        }
    }

    /// The bytes of a small file.
    static byte[] read(String path) {
        if (!isLocal(path)) {
            ByteBuffer bytes = bytes(path);
            byte[] array = new byte[bytes.remaining()];
            bytes.get(array);
            return array;
        }
        Path file = local(path);
        requireFile(file);
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw StorageRegistry.unreadable(path, e);
        }
    }

    static boolean isLocal(String path) {
        return !ClassPathFile.isOne(path)
                && StorageRegistry.scheme(path).map("file"::equals).orElse(true);
    }

    static Path local(String path) {
        return Path.of(path.startsWith("file://") ? path.substring("file://".length()) : path);
    }

    private static ByteBuffer bytes(String path) {
        if (ClassPathFile.isOne(path)) {
            return ClassPathFile.read(path);
        }
        MemorySegment[] whole = {MemorySegment.NULL};
        try {
            StorageRegistry.of(path).readWhole(path, size -> {
                if (size > Integer.MAX_VALUE) {
                    throw new LastingIOException(
                            "it has " + size
                                    + " bytes, and a model from there may have 2 GiB. Copy it to this machine.",
                            null);
                }
                whole[0] = MemorySegment.ofBuffer(ByteBuffer.allocateDirect((int) size));
                return whole[0];
            });
        } catch (LastingIOException e) {
            throw new MillraceException(Culprit.USER, "'" + path + "' could not be read: " + e.getMessage(), e);
        } catch (IOException e) {
            throw StorageRegistry.unreadable(path, e);
        }
        return whole[0].asByteBuffer();
    }

    private static void requireFile(Path file) {
        if (Files.isDirectory(file)) {
            throw MillraceException.user("'" + file + "' is a folder, not a file." + neighbours(file));
        }
        if (!Files.exists(file)) {
            Path folder = file.toAbsolutePath().getParent();
            throw MillraceException.user("There is no file '" + file + "'." + neighbours(folder));
        }
    }

    /// Suggests similar files in the folder.
    private static String neighbours(@Nullable Path folder) {
        if (folder == null || !Files.isDirectory(folder)) {
            return " There is no folder '" + folder + "' either.";
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names = files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".onnx") || name.endsWith(".ort") || name.endsWith(".txt"))
                    .sorted()
                    .limit(SHOWN)
                    .toList();
            return names.isEmpty()
                    ? " There are no models in '" + folder + "'."
                    : " In '" + folder + "' there are " + String.join(", ", names) + ".";
        } catch (IOException e) {
            return "";
        }
    }

    private static String notAModel(String path, OrtException e) {
        String text = OnnxErrors.text(e);
        return switch (e.getCode()) {
            case ORT_INVALID_PROTOBUF, ORT_NO_MODEL ->
                "'" + path + "' is not an ONNX model, or is cut off: " + text
                        + " Export the model again, e.g. with torch.onnx.export.";
            default -> "'" + path + "' could not be loaded as an ONNX model: " + text;
        };
    }
}

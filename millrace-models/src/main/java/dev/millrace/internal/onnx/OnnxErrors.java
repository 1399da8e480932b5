package dev.millrace.internal.onnx;

import ai.onnxruntime.OrtException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Turns errors of onnxruntime into messages for users.
public final class OnnxErrors {
    /// Source locations inside onnxruntime, which do not help a user.
    private static final Pattern SOURCES =
            Pattern.compile("/\\S+\\.(?:cc|h|cpp|cu):\\d+ (?:[^()]*?onnxruntime::[^()]*\\([^)]*\\)(?: const)? )?");

    private static final Pattern CODE = Pattern.compile("^Error code - ORT_\\w+ - message: ");
    private static final List<String> NO_MEMORY = List.of(
            "failed to allocate memory",
            "bad_alloc",
            "bad allocation",
            "out of memory",
            "available memory of",
            "cudnn_status_alloc_failed",
            "cublas_status_alloc_failed");

    private OnnxErrors() {}

    public static boolean isOutOfMemory(OrtException e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return NO_MEMORY.stream().anyMatch(message::contains);
    }

    /// Whether the memory provided for an output does not have the shape of the result.
    static boolean isAboutShapes(OrtException e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("shape") || message.contains("dimension");
    }

    /// The error message as a sentence.
    public static String text(OrtException e) {
        String message = CODE.matcher(String.valueOf(e.getMessage())).replaceFirst("");
        String plain = SOURCES.matcher(message).replaceAll("").strip();
        return plain.endsWith(".") ? plain : plain + ".";
    }
}

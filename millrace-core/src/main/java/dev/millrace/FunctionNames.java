package dev.millrace;

import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;

/// What errors, plans and stats call a user's function: `resize` for `Images::resize`, the class for an object,
/// `lambda` for a lambda.
final class FunctionNames {
    private FunctionNames() {}

    /// "mapBatches(resize)", or the name the user gave.
    static String of(String verb, Serializable function, String given) {
        return given != null ? given : verb + "(" + nameOf(function) + ")";
    }

    private static String nameOf(Serializable function) {
        Class<?> type = function.getClass();
        if (!type.isHidden() && !type.isSynthetic()) {
            return type.isAnonymousClass() ? "anonymous" : type.getSimpleName();
        }
        try {
            // Lambdas of serialisable types carry this method; it tells what they call.
            Method replace = type.getDeclaredMethod("writeReplace");
            replace.setAccessible(true);
            if (replace.invoke(function) instanceof SerializedLambda lambda) {
                String called = lambda.getImplMethodName();
                if (called.equals("<init>")) {
                    return lambda.getImplClass().replaceAll(".*[/$]", "");
                }
                return called.startsWith("lambda$") ? "lambda" : called;
            }
        } catch (ReflectiveOperationException | RuntimeException _) {
            // A name is not worth an error.
        }
        return "lambda";
    }
}

package dev.millrace.internal.transform;

import java.util.concurrent.atomic.AtomicReference;

/// What errors, plans and stats call a user's function: `resize` for `Images::resize`, `Thumbnails` for an object or
/// constructor of that class, `Main:42` for the lambda in line 42 of Main. Cached per function class.
public final class FunctionNames {
    private static final ClassValue<AtomicReference<String>> NAMES = new ClassValue<>() {
        @Override
        protected AtomicReference<String> computeValue(Class<?> type) {
            return new AtomicReference<>();
        }
    };

    private FunctionNames() {}

    /// "mapBatches(resize)", or the name the user gave.
    public static String of(String verb, Object function, String given) {
        return given != null ? given : verb + "(" + nameOf(function) + ")";
    }

    public static String nameOf(Object function) {
        AtomicReference<String> cached = NAMES.get(function.getClass());
        if (cached.get() == null) {
            cached.set(find(function));
        }
        return cached.get();
    }

    private static String find(Object function) {
        Class<?> type = function.getClass();
        if (type.isAnonymousClass()) {
            return type.getEnclosingClass().getSimpleName();
        }
        if (!type.isHidden() && !type.isSynthetic()) {
            return type.getSimpleName();
        }
        return LambdaFacts.of(function).map(FunctionNames::nameOf).orElse("lambda");
    }

    private static String nameOf(LambdaFacts facts) {
        if (facts.isMethodReference()) {
            String called = facts.lambda().getImplMethodName();
            return called.equals("<init>") ? facts.className() : called;
        }
        return facts.line() > 0 ? facts.className() + ":" + facts.line() : facts.className();
    }
}

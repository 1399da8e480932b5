package dev.millrace.internal.transform;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The name of a user's function in errors, plans and stats: `resize` for `Images::resize`, `Main:42` for the lambda in
/// line 42 of Main, `Thumbnails` for a constructor of that class. An object, of which there may be several, has the
/// line of its verb beside the name of its class: `OnnxModel Main:42`. Cached per function class.
public final class FunctionNames {
    private static final ClassValue<AtomicReference<String>> NAMES = new ClassValue<>() {
        @Override
        protected AtomicReference<String> computeValue(Class<?> type) {
            return new AtomicReference<>();
        }
    };

    private FunctionNames() {}

    /// "mapBatches(resize)", or the name the user gave. Called where the user calls the verb.
    public static String of(String verb, Object function, @Nullable String given) {
        if (given != null) {
            return given;
        }
        String site = isLambda(function.getClass()) ? CallSite.UNKNOWN : CallSite.here();
        return verb + "(" + nameOf(function) + (site.isEmpty() ? "" : " " + site) + ")";
    }

    public static @Nullable String nameOf(Object function) {
        AtomicReference<String> cached = NAMES.get(function.getClass());
        if (cached.get() == null) {
            cached.set(find(function));
        }
        return cached.get();
    }

    static boolean isLambda(Class<?> type) {
        return type.isHidden() || type.isSynthetic();
    }

    private static String find(Object function) {
        Class<?> type = function.getClass();
        if (type.isAnonymousClass()) {
            return type.getEnclosingClass().getSimpleName();
        }
        if (!isLambda(type)) {
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

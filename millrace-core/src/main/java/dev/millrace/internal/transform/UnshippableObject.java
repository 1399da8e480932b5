package dev.millrace.internal.transform;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An object inside of a function that cannot be sent to another process, with the way to it in the words of the
/// program: the variables that lambdas capture, and fields.
///
/// @param path from the function; empty for the function itself
/// @param captured the path begins with a variable that a lambda captures, and not with a field
/// @param behind it is somewhere inside of the object at this path, whose fields are not open to other code
record UnshippableObject(String path, Object culprit, boolean captured, boolean behind) {
    private static final int DEEPEST = 40;

    /// The way to an object inside of a function; empty if it leads through objects that are created when the function
    /// is serialised.
    static Optional<UnshippableObject> find(Object function, Object culprit) {
        return Optional.ofNullable(
                new Search(culprit, Collections.newSetFromMap(new IdentityHashMap<>())).at(function, "", 0));
    }

    /// How an error about it goes on after the operator's name: " captures 'out', a java.io.FileOutputStream: ...".
    String sentence() {
        String type = typeName(culprit);
        String who = path.isEmpty()
                ? behind ? " holds " + type : " is " + type
                : (captured ? " captures '" : " holds '") + path + (behind ? "', which holds " : "', ") + type;
        return ProcessBound.of(culprit)
                .map(kind -> who + ": " + kind.what() + " belongs to this process and cannot be sent to a worker. "
                        + kind.advice())
                .orElseGet(() -> who + ", which is not serialisable. " + advice());
    }

    private String advice() {
        if (path.equals("this")) {
            return "The function uses a field or method of the object around it: copy the field into a local variable"
                    + " first, make the method static, or use a class with Compute.actors.";
        }
        if (FunctionNames.isLambda(culprit.getClass())) {
            return "Give its variable a type that extends java.io.Serializable, such as the functions of"
                    + " dev.millrace.function.";
        }
        return switch (culprit) {
            case Path _ -> "Capture its text, path.toString(), and call Path.of inside the function.";
            case Optional<?> _ -> "Capture its value, or null.";
            default ->
                "Let its class implement java.io.Serializable, create it inside the function, or make the function a"
                        + " class that creates it once per actor (Compute.actors).";
        };
    }

    /// "a java.lang.Thread".
    static String typeName(Object value) {
        Class<?> type = value.getClass();
        if (FunctionNames.isLambda(type)) {
            return "a lambda of " + List.of(type.getInterfaces()).getFirst().getName();
        }
        return "a " + (type.isRecord() ? "record " : "") + type.getTypeName();
    }

    /// A walk along the references between objects. One thread.
    private record Search(Object culprit, Set<Object> seen) {
        @SuppressWarnings("ReferenceEquality") // it looks for this very object
        @Nullable
        UnshippableObject at(@Nullable Object value, String path, int depth) {
            if (value == culprit) {
                return new UnshippableObject(path, culprit, false, false);
            }
            if (value == null || value instanceof String || depth > DEEPEST || !seen.add(value)) {
                return null;
            }
            Optional<LambdaFacts> lambda = LambdaFacts.of(value);
            if (lambda.isPresent()) {
                return inLambda(lambda.get(), path, depth);
            }
            return switch (value) {
                case Collection<?> elements -> inElements(elements, path, depth);
                case Map<?, ?> map -> {
                    UnshippableObject key = inElements(map.keySet(), path, depth);
                    yield key == null ? inElements(map.values(), path, depth) : key;
                }
                case Object[] array -> inElements(Arrays.asList(array), path, depth);
                default -> value.getClass().isArray() ? null : inFields(value, path, depth);
            };
        }

        private @Nullable UnshippableObject inLambda(LambdaFacts facts, String path, int depth) {
            for (int i = 0; i < facts.lambda().getCapturedArgCount(); i++) {
                Object captured = facts.lambda().getCapturedArg(i);
                if (captured == null) {
                    continue;
                }
                String name = facts.capturedName(i);
                UnshippableObject found = at(
                        captured, join(path, name == null ? captured.getClass().getSimpleName() : name), depth + 1);
                if (found != null) {
                    return path.isEmpty() ? new UnshippableObject(found.path, culprit, true, found.behind) : found;
                }
            }
            return null;
        }

        private @Nullable UnshippableObject inElements(Iterable<?> elements, String path, int depth) {
            for (Object element : elements) {
                UnshippableObject found = at(element, path + "[]", depth + 1);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }

        private @Nullable UnshippableObject inFields(Object value, String path, int depth) {
            for (Class<?> type = value.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers()) || Modifier.isTransient(field.getModifiers())) {
                        continue;
                    }
                    if (field.getType().isPrimitive()) {
                        continue;
                    }
                    try {
                        field.setAccessible(true);
                        UnshippableObject found = at(field.get(value), join(path, nameOf(field)), depth + 1);
                        if (found != null) {
                            return found;
                        }
                    } catch (InaccessibleObjectException | IllegalAccessException _) {
                        return isInside(value) ? new UnshippableObject(path, culprit, false, true) : null;
                    }
                }
            }
            return null;
        }

        @SuppressWarnings("ReferenceEquality") // as above
        private boolean isInside(Object value) {
            SerialProbe.Refusal refusal = SerialProbe.refusal(value);
            return refusal != null && refusal.culprit() == culprit;
        }

        /// The records that carry functions are ours: their fields are not part of what the user wrote. Empty for
        /// those.
        private static String nameOf(Field field) {
            if (CallSite.isOfThisJar(field.getDeclaringClass())) {
                return "";
            }
            // What compilers call the variables that a local class captures, and the object around it.
            String name = field.getName();
            return name.startsWith("val$") || name.startsWith("$")
                    ? name.substring(name.indexOf('$') + 1)
                    : name.startsWith("this$") ? "this" : name;
        }

        private static String join(String path, String name) {
            return path.isEmpty() || name.isEmpty() ? path + name : path + "." + name;
        }
    }
}

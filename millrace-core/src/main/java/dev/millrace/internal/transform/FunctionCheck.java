package dev.millrace.internal.transform;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Determines whether a user's function can be shipped, and if not, which captured value prevents it.
public final class FunctionCheck {
    private static final int DEEPEST = 12;

    private FunctionCheck() {}

    /// @throws MillraceException culprit USER, naming operator, captured variable and class
    public static void requireSerialisable(String operator, Object function) {
        problem(operator, function).ifPresent(problem -> {
            throw problem;
        });
    }

    /// The functions of a chain, each under its operator's name.
    static Optional<MillraceException> problem(ChainSpec chain) {
        for (TransformStep step : chain.steps()) {
            Optional<MillraceException> problem = switch (step) {
                case RowStep rows ->
                    rows.operations().stream()
                            .flatMap(named -> problem(named.name(), named.operation()).stream())
                            .findFirst();
                case BatchStep batches ->
                    problem(step.name(), batches.operation().function());
                case StatefulBatchStep batches ->
                    problem(step.name(), batches.step().operation().function());
                case StatefulRowStep rows ->
                    problem(step.name(), rows.operation().factory());
                default -> problem(step.name(), step);
            };
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    static Optional<MillraceException> problem(String operator, Object function) {
        if (isSerialisable(function)) {
            return Optional.empty();
        }
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        UnserialisableObject found = find(function, "", seen, 0);
        if (found == null) {
            return Optional.of(MillraceException.user(
                    operator + " cannot be serialised (" + function.getClass().getName()
                            + "). Its class must implement java.io.Serializable with all it holds."));
        }
        String what = found.path.isEmpty()
                ? operator + " is a " + found.type + ", which is not serialisable."
                : operator + " captures '" + found.path + "' (" + found.type + "), which is not serialisable.";
        String hint = found.path.equals("this")
                ? " It uses a field or method of the object around it: copy the field into a local variable first, make the"
                        + " method static, or use a class with Compute.actors."
                : " Make it static, create it inside the function, or use a class with Compute.actors.";
        return Optional.of(new MillraceException(Culprit.USER, what + hint));
    }

    /// The innermost object that is not serialisable, and the path to it.
    private record UnserialisableObject(String path, String type) {}

    private static @Nullable UnserialisableObject find(
            @Nullable Object value, String path, Set<Object> seen, int depth) {
        if (value == null || depth > DEEPEST || !seen.add(value) || isSerialisable(value)) {
            return null;
        }
        Optional<LambdaFacts> lambda = LambdaFacts.of(value);
        if (lambda.isPresent()) {
            LambdaFacts facts = lambda.get();
            for (int i = 0; i < facts.lambda().getCapturedArgCount(); i++) {
                Object captured = facts.lambda().getCapturedArg(i);
                if (captured == null) {
                    continue;
                }
                String name = facts.capturedName(i);
                if (name == null) {
                    name = captured.getClass().getSimpleName();
                }
                UnserialisableObject found = find(captured, join(path, name), seen, depth + 1);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
        if (!(value instanceof Serializable)) {
            return new UnserialisableObject(path, typeName(value));
        }
        return findInside(value, path, seen, depth);
    }

    private static @Nullable UnserialisableObject findInside(Object value, String path, Set<Object> seen, int depth) {
        switch (value) {
            case Iterable<?> elements -> {
                for (Object element : elements) {
                    UnserialisableObject found = find(element, path + "[]", seen, depth + 1);
                    if (found != null) {
                        return found;
                    }
                }
            }
            case Map<?, ?> map -> {
                for (Object element : map.values()) {
                    UnserialisableObject found = find(element, path + "[]", seen, depth + 1);
                    if (found != null) {
                        return found;
                    }
                }
            }
            case Object array
            when array.getClass().isArray() -> {
                for (int i = 0; i < Array.getLength(array); i++) {
                    UnserialisableObject found = find(Array.get(array, i), path + "[]", seen, depth + 1);
                    if (found != null) {
                        return found;
                    }
                }
            }
            default -> {
                return findInFields(value, path, seen, depth);
            }
        }
        return null;
    }

    private static @Nullable UnserialisableObject findInFields(Object value, String path, Set<Object> seen, int depth) {
        // The records that carry operations are ours: their fields are not part of what the user wrote.
        boolean ours = value instanceof RowOperation || value instanceof BatchOperation;
        for (Class<?> type = value.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || Modifier.isTransient(field.getModifiers())) {
                    continue;
                }
                try {
                    field.setAccessible(true);
                    UnserialisableObject found =
                            find(field.get(value), ours ? path : join(path, field.getName()), seen, depth + 1);
                    if (found != null) {
                        return found;
                    }
                } catch (ReflectiveOperationException | RuntimeException _) {
                    // An inaccessible field is not named.
                }
            }
        }
        return null;
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String typeName(Object value) {
        Class<?> type = value.getClass();
        return type.isHidden() || type.isSynthetic()
                ? "a lambda of " + List.of(type.getInterfaces()).getFirst().getName()
                : type.getName();
    }

    private static boolean isSerialisable(Object value) {
        try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream())) {
            out.writeObject(value);
            return true;
        } catch (NotSerializableException e) {
            return false;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}

package dev.millrace.internal.serial;

import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.lang.invoke.SerializedLambda;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Which classes may be deserialised from an object stream. The writer of the bytes chooses the classes, and
/// deserialising some of them runs code; so a stream yields only what its reader expects.
///
/// A process-wide filter (`-Djdk.serialFilter`) is consulted first: what it rejects is rejected, and what it allows by
/// name is allowed here too.
public final class SerialRule {
    /// Classes of widespread libraries that run code when they are deserialised, and that neither functions nor states
    /// need.
    private static final List<String> DANGEROUS = List.of(
            "java.rmi.",
            "javax.rmi.",
            "sun.rmi.",
            "javax.management.",
            "javax.naming.",
            "javax.xml.transform.",
            "com.sun.rowset.",
            "com.sun.org.apache.",
            "org.apache.commons.collections.functors.",
            "org.apache.commons.collections4.functors.",
            "org.apache.commons.beanutils.",
            "org.codehaus.groovy.runtime.",
            "com.mchange.v2.c3p0.",
            "bsh.");

    /// Found once for each class: a worker asks for all classes of each task.
    private static final ClassValue<Boolean> IS_DANGEROUS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isNamed(type, DANGEROUS);
        }
    };

    private final Predicate<Class<?>> root;
    private final Predicate<Class<?>> below;

    private final Consumer<Class<?>> refused;

    private SerialRule(Predicate<Class<?>> root, Predicate<Class<?>> below) {
        this(root, below, _ -> {});
    }

    private SerialRule(Predicate<Class<?>> root, Predicate<Class<?>> below, Consumer<Class<?>> refused) {
        this.root = root;
        this.below = below;
        this.refused = refused;
    }

    /// The same rule with a listener for rejected classes: the stream's exception does not name them.
    public SerialRule telling(Consumer<Class<?>> listener) {
        return new SerialRule(root, below, listener);
    }

    /// Only classes with these names, including nested classes, or in these packages (`java.util.` with the dot).
    public static SerialRule only(String... names) {
        List<String> all = List.of(names);
        Predicate<Class<?>> named = type -> isNamed(type, all);
        return new SerialRule(named, named);
    }

    private static boolean isNamed(Class<?> type, List<String> names) {
        String name = type.getName();
        return names.stream()
                .anyMatch(each ->
                        each.endsWith(".") ? name.startsWith(each) : name.equals(each) || name.startsWith(each + "$"));
    }

    /// Exceptions, with the classes that exceptions of the JDK and of this library contain. Fields of other classes are
    /// rejected: the reader has a textual description in their place.
    public static SerialRule failures() {
        List<String> values = List.of("java.lang.", "java.util.", "java.math.", "java.time.", "dev.millrace.error.");
        return new SerialRule(
                Throwable.class::isAssignableFrom,
                type -> Throwable.class.isAssignableFrom(type) || isNamed(type, values) && !isDangerous(type));
    }

    /// An object of one of these classes with everything that belongs to it: functions and states of users, which may
    /// contain anything. A lambda is serialised as a description of itself, independent of its type: the reader casts
    /// the result. Functions are code, so accept such a stream only from a trusted sender.
    public static SerialRule of(Class<?>... kinds) {
        return new SerialRule(
                type -> type == SerializedLambda.class
                        || List.of(kinds).stream().anyMatch(kind -> kind.isAssignableFrom(type)),
                type -> !isDangerous(type));
    }

    private static boolean isDangerous(Class<?> type) {
        return IS_DANGEROUS.get(type);
    }

    /// @param bytes the size of the whole stream: no array in it can have more elements
    ObjectInputFilter filter(long bytes) {
        ObjectInputFilter everywhere = ObjectInputFilter.Config.getSerialFilter();
        return info -> {
            Status general = everywhere == null ? Status.UNDECIDED : everywhere.checkInput(info);
            if (general == Status.REJECTED || info.arrayLength() > bytes) {
                return Status.REJECTED;
            }
            Class<?> type = info.serialClass();
            if (type == null || general == Status.ALLOWED) {
                return Status.ALLOWED;
            }
            Class<?> element = elementOf(type);
            // Collections of the JDK ask for the array that they are about to make, at their own depth.
            boolean isOfCollection = type.isArray() && (element == Object.class || element == Map.Entry.class);
            if (isAllowed(element, isOfCollection ? info.depth() + 1 : info.depth())) {
                return Status.ALLOWED;
            }
            refused.accept(type);
            return Status.REJECTED;
        };
    }

    private static Class<?> elementOf(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.componentType();
        }
        return element;
    }

    private boolean isAllowed(Class<?> type, long depth) {
        return type.isPrimitive() || type == String.class || (depth <= 1 ? root : below).test(type);
    }
}

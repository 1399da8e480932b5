package dev.millrace.internal.transform;

import dev.millrace.batch.Row;
import dev.millrace.batch.RowCursor;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.wording.SimilarNames;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Converts rows to a user's records and back. A component reads and writes the column of its name. A class that is not
/// a record (a String, a Long) represents the single column `item`. Immutable, cached per class.
public final class RecordCodec {
    static final String ITEM = "item";

    private static final ClassValue<RecordCodec> CODECS = new ClassValue<>() {
        @Override
        protected RecordCodec computeValue(Class<?> type) {
            return new RecordCodec(type);
        }
    };

    private final Class<?> type;
    private final Schema schema;
    private final Type[] componentTypes;
    /// (components...)Object, or null for a scalar.
    private final @Nullable MethodHandle constructor;
    /// (Object)component each.
    private final MethodHandle @Nullable [] accessors;

    private RecordCodec(Class<?> type) {
        this.type = type;
        if (!type.isRecord()) {
            schema = Schema.of(ITEM, RecordComponents.typeOf((Type) type, "class"));
            componentTypes = new Type[] {type};
            constructor = null;
            accessors = null;
            return;
        }
        schema = Schema.of(RecordComponents.fieldsOf(type));
        RecordComponent[] components = type.getRecordComponents();
        componentTypes = new Type[components.length];
        accessors = new MethodHandle[components.length];
        Class<?>[] parameters = new Class<?>[components.length];
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            for (int i = 0; i < components.length; i++) {
                componentTypes[i] = components[i].getGenericType();
                parameters[i] = components[i].getType();
                components[i].getAccessor().setAccessible(true);
                MethodHandle accessor = lookup.unreflect(components[i].getAccessor());
                accessors[i] = accessor.asType(MethodType.methodType(parameters[i], Object.class));
            }
            java.lang.reflect.Constructor<?> canonical = type.getDeclaredConstructor(parameters);
            canonical.setAccessible(true);
            constructor =
                    lookup.unreflectConstructor(canonical).asType(MethodType.methodType(Object.class, parameters));
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new MillraceException(
                    Culprit.USER,
                    "The record " + type.getName() + " cannot be used: " + e.getMessage()
                            + ". Make it visible, or open its module to dev.millrace.",
                    e);
        }
    }

    public static RecordCodec of(Class<?> type) {
        return CODECS.get(type);
    }

    /// The columns that records of this class make.
    public static Schema schemaOf(Class<?> type) {
        return of(type).schema;
    }

    /// Checks that rows of `input` can be read as records of `type`: each component has its column.
    ///
    /// @throws MillraceException culprit USER, naming verb, component and the available columns
    public static void check(String verb, Class<?> type, Schema input) {
        for (Field field : of(type).schema.fields()) {
            if (!input.contains(field.name())) {
                throw MillraceException.user(verb + ": " + type.getSimpleName() + " has a component '" + field.name()
                        + "', but there is no such column." + SimilarNames.suggestion(field.name(), input.names())
                        + " The columns are " + input.names() + ".");
            }
        }
    }

    public Class<?> type() {
        return type;
    }

    public Schema schema() {
        return schema;
    }

    /// Reads records directly from the columns of blocks of this schema.
    public RecordReader reader(Schema input) {
        check("reading " + type.getSimpleName(), type, input);
        return new RecordReader(this, input);
    }

    /// Writes records into builders of [#schema], one per column.
    public RecordWriter writer(List<? extends ColumnBuilder> builders) {
        return new RecordWriter(this, builders);
    }

    /// A record from any row.
    public Object fromRow(Row row) {
        if (row instanceof RowCursor cursor) {
            return reader(cursor.schema()).read(cursor);
        }
        Object[] values = new Object[componentTypes.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = row.get(schema.field(i).name());
        }
        return make(values);
    }

    /// A record from a struct's value; a missing field is null.
    Object fromMap(Map<?, ?> map) {
        Object[] values = new Object[componentTypes.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = map.get(schema.field(i).name());
        }
        return make(values);
    }

    private Object make(Object[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = RecordValues.convert(values[i], componentTypes[i], describe(i));
            if (values[i] == null && isPrimitive(i)) {
                throw nullPrimitive(i);
            }
        }
        if (constructor == null) {
            return values[0];
        }
        try {
            return constructor.invokeWithArguments(values);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new MillraceException(Culprit.USER, "The constructor of " + type.getName() + " failed: " + e, e);
        }
    }

    /// The record as a row of its components.
    public Row toRow(Object record) {
        Object[] pairs = new Object[2 * componentTypes.length];
        for (int i = 0; i < componentTypes.length; i++) {
            pairs[2 * i] = schema.field(i).name();
            pairs[2 * i + 1] = component(record, i);
        }
        return Row.of(pairs);
    }

    /// The record as a struct's value.
    public Map<String, Object> toMap(Object record) {
        Map<String, Object> map = LinkedHashMap.newLinkedHashMap(componentTypes.length);
        for (int i = 0; i < componentTypes.length; i++) {
            map.put(schema.field(i).name(), RecordValues.plain(component(record, i)));
        }
        return map;
    }

    /// A component's value as it is.
    Object component(Object record, int index) {
        if (accessors == null) {
            return record;
        }
        try {
            return accessors[index].invoke(record);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new MillraceException(Culprit.USER, "The accessor of " + describe(index) + " failed: " + e, e);
        }
    }

    int size() {
        return componentTypes.length;
    }

    Type componentType(int index) {
        return componentTypes[index];
    }

    /// Null for a scalar.
    @Nullable
    MethodHandle constructor() {
        return constructor;
    }

    @Nullable
    MethodHandle accessor(int index) {
        return accessors == null ? null : accessors[index];
    }

    boolean isPrimitive(int index) {
        return componentTypes[index] instanceof Class<?> plain && plain.isPrimitive();
    }

    /// "component 'fare' of Trip"
    String describe(int index) {
        return constructor == null
                ? "a value of " + type.getSimpleName()
                : "component '" + schema.field(index).name() + "' of " + type.getSimpleName();
    }

    MillraceException nullPrimitive(int index) {
        return MillraceException.user(
                "Column '" + schema.field(index).name() + "' is null, but " + describe(index) + " is a "
                        + componentTypes[index].getTypeName() + ", which cannot be null. Use "
                        + MethodType.methodType((Class<?>) componentTypes[index])
                                .wrap()
                                .returnType()
                                .getSimpleName()
                        + ", or drop such rows first.");
    }
}

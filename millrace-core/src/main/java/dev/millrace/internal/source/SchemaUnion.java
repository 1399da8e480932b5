package dev.millrace.internal.source;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadFormat;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The columns of files whose schemas differ: the union by name of the sampled files, in the order of appearance, each
/// of a type that fits all of these files. If two have no common type, the first one's stays, and the reader of the
/// other file reports what does not fit.
public final class SchemaUnion {
    private static final int MAX_LOOKED_AT = 16;
    /// So many are asked where the others leave a column without a type.
    private static final int MAX_ASKED = 100;
    /// Where files are far away, each takes a while.
    private static final int LOOKS_AT_ONCE = 16;

    private SchemaUnion() {}

    /// A file among several that cannot be read says nothing here: it is an error when it is read, and the read's
    /// error policy decides about it.
    ///
    /// @throws MillraceException culprit DATA, the first file's, where no file can be read
    public static Schema of(List<StoredFile> files, ReadFormat format, FileReads options) {
        List<StoredFile> some = format.hasFixedColumns()
                ? files.subList(0, 1)
                : options.looksAtAllFiles() ? files : FileListing.sample(files, MAX_LOOKED_AT);
        Schema union = Schema.empty();
        for (Schema schema : look(some, format, options)) {
            union = union.size() == 0 ? schema : and(union, schema, format);
        }
        union = format.settle(union);
        for (int i = 1; i < Math.min(files.size(), MAX_ASKED) && hasUntyped(union); i++) {
            if (!some.contains(files.get(i))) {
                Schema next = look(List.of(files.get(i)), format, options).getFirst();
                union = format.settle(union.size() == 0 ? next : and(union, next, format));
            }
        }
        return union;
    }

    private static List<Schema> look(List<StoredFile> files, ReadFormat format, FileReads options) {
        if (files.size() == 1) {
            return List.of(FirstFile.schema(files.getFirst(), format, options));
        }
        List<Schema> schemas = new ArrayList<>();
        MillraceException broken = null;
        try (ExecutorService threads = Executors.newFixedThreadPool(
                Math.min(files.size(), LOOKS_AT_ONCE),
                Thread.ofVirtual().name("schemas of " + format.name() + "-", 0).factory())) {
            List<Future<Schema>> all = new ArrayList<>();
            files.forEach(
                    file -> all.add(threads.submit(LookMemory.carried(() -> FirstFile.schema(file, format, options)))));
            for (Future<Schema> one : all) {
                try {
                    schemas.add(one.get());
                } catch (ExecutionException e) {
                    MillraceException data = data(Objects.requireNonNullElse(e.getCause(), e));
                    broken = broken == null ? data : broken;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MillraceException(
                    Culprit.RESOURCES, format.verb() + ": the look at the files was interrupted.", e);
        }
        if (schemas.isEmpty()) {
            throw Objects.requireNonNull(broken, "every file was broken");
        }
        return schemas;
    }

    /// What is wrong with a file; anything else that went wrong is thrown.
    private static MillraceException data(Throwable cause) {
        return switch (cause) {
            case MillraceException e when e.culprit() == Culprit.DATA -> e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(cause);
        };
    }

    private static Schema and(Schema union, Schema more, ReadFormat format) {
        if (more.equals(union)) {
            return union;
        }
        List<Field> fields = new ArrayList<>();
        for (Field field : union.fields()) {
            int position = more.indexOf(field.name());
            DataType type = position < 0
                    ? field.type()
                    : format.commonType(field.type(), more.field(position).type())
                            .orElse(field.type());
            fields.add(new Field(field.name(), type));
        }
        for (Field field : more.fields()) {
            if (!union.contains(field.name())) {
                fields.add(field);
            }
        }
        return Schema.of(fields);
    }

    private static boolean hasUntyped(Schema schema) {
        return schema.size() == 0
                || schema.fields().stream().anyMatch(field -> field.type().equals(DataType.NULL));
    }
}

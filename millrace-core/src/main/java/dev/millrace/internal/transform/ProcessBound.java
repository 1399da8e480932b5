package dev.millrace.internal.transform;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Kinds of objects that exist in one process only, with what to do instead of sending them to another. Types are known
/// by name: some are of modules that a program need not have.
///
/// @param what it is, in words, as the subject of "belongs to this process and cannot be sent to a worker"
/// @param advice what to do next: a sentence
/// @param types the classes and interfaces; subtypes count
record ProcessBound(String what, String advice, Set<String> types) {
    private static final String OPEN_THERE =
            "Open it inside the function, or make the function a class that opens it once per actor (Compute.actors).";
    private static final String CREATE_THERE =
            "Create it inside the function, or make the function a class that creates it once per actor"
                    + " (Compute.actors).";
    private static final String CAPTURE_VALUES = "Capture the values that the function needs, in a list, map or array.";

    /// The first that fits counts.
    private static final List<ProcessBound> ALL = List.of(
            of(
                    "an open file",
                    OPEN_THERE,
                    "java.io.FileInputStream",
                    "java.io.FileOutputStream",
                    "java.io.FileReader",
                    "java.io.FileWriter",
                    "java.io.RandomAccessFile",
                    "java.io.FileDescriptor",
                    "java.nio.channels.FileChannel",
                    "java.nio.channels.FileLock",
                    "java.util.zip.ZipFile"),
            of(
                    "a network connection",
                    OPEN_THERE,
                    "java.net.Socket",
                    "java.net.ServerSocket",
                    "java.net.DatagramSocket",
                    "java.net.URLConnection",
                    "java.net.http.HttpClient",
                    "java.net.http.WebSocket",
                    "java.nio.channels.NetworkChannel",
                    "java.nio.channels.Selector"),
            of(
                    "a database connection",
                    OPEN_THERE,
                    "java.sql.Connection",
                    "java.sql.Statement",
                    "java.sql.ResultSet",
                    "javax.sql.CommonDataSource"),
            of(
                    "an open stream",
                    OPEN_THERE,
                    "java.io.InputStream",
                    "java.io.OutputStream",
                    "java.io.Reader",
                    "java.io.Writer",
                    "java.util.Scanner",
                    "java.nio.channels.Channel"),
            of(
                    "a session",
                    "Functions on workers cannot start work of their own: use verbs of the dataset, such as join, instead.",
                    "dev.millrace.Session"),
            of(
                    "a dataset",
                    "Join it, or take its rows (takeAll) into a list or map that the function captures.",
                    "dev.millrace.Dataset",
                    "dev.millrace.DatasetFunctions",
                    "dev.millrace.RandomAccessDataset",
                    "dev.millrace.Shard"),
            of(
                    "a batch of rows",
                    "It lives in memory of this process until its function or loop goes on. " + CAPTURE_VALUES,
                    "dev.millrace.batch.Batch",
                    "dev.millrace.batch.TypedColumns",
                    "dev.millrace.block.Block",
                    "dev.millrace.column.Column"),
            of("a row of a batch", "Capture a copy of it: row.copy().", "dev.millrace.batch.RowCursor"),
            of(
                    "memory outside of Java's heap",
                    CAPTURE_VALUES,
                    "dev.millrace.memory.Allocator",
                    "dev.millrace.memory.Buffer",
                    "java.lang.foreign.MemorySegment",
                    "java.lang.foreign.Arena",
                    "java.nio.Buffer"),
            of("a process", CREATE_THERE, "java.lang.Process", "java.lang.ProcessHandle"),
            of("a thread", CREATE_THERE, "java.lang.Thread", "java.lang.ThreadGroup", "java.lang.ThreadLocal"),
            of(
                    "a pool of threads",
                    CREATE_THERE,
                    "java.util.concurrent.Executor",
                    "java.util.concurrent.ThreadFactory",
                    "java.util.Timer"),
            of(
                    "work that goes on",
                    CAPTURE_VALUES,
                    "java.util.concurrent.Future",
                    "java.util.concurrent.Flow$Publisher"),
            of(
                    "an iterator",
                    CAPTURE_VALUES,
                    "java.util.Iterator",
                    "java.util.Enumeration",
                    "java.util.Spliterator",
                    "java.util.stream.BaseStream"),
            of("a class loader", CREATE_THERE, "java.lang.ClassLoader", "java.util.ServiceLoader"));

    private static ProcessBound of(String what, String advice, String... types) {
        return new ProcessBound(what, advice, Set.of(types));
    }

    /// What kind of object of one process it is; empty for any other object.
    static Optional<ProcessBound> of(Object value) {
        Set<String> names = new LinkedHashSet<>();
        collect(value.getClass(), names);
        return ALL.stream()
                .filter(kind -> kind.types.stream().anyMatch(names::contains))
                .findFirst();
    }

    private static void collect(Class<?> type, Set<String> names) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            names.add(each.getName());
            for (Class<?> parent : each.getInterfaces()) {
                collect(parent, names);
            }
        }
    }
}

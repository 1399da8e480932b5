package dev.millrace.internal.commit;

import dev.millrace.internal.sink.LocalTarget;
import dev.millrace.internal.storage.LocalStorage;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.ResumableSink.Placement;
import dev.millrace.sink.Target.OutputFile;
import dev.millrace.sink.WriteJob;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Writes to a folder that had files before, by the way that all formats go. As a program, it is a process that halts
/// at the nth step of its commit.
enum CommitScene {
    APPEND(false, List.of("a", "b", "c")),
    OVERWRITE(true, List.of("a", "b", "c")),
    /// Some of the names are those of old files, others lie in folders that are new.
    PARTITIONED_OVERWRITE(true, List.of("day=1/old-1", "day=2/a", "day=3/b", "old-0")),
    PARTITIONED_APPEND(false, List.of("day=1/a", "day=2/b", "day=2/c"));

    static final List<String> OLD = List.of("old-0", "day=1/old-1", "day=9/old-2");

    final boolean overwrite;
    final List<String> names;

    CommitScene(boolean overwrite, List<String> names) {
        this.overwrite = overwrite;
        this.names = names;
    }

    static LocalTarget target(Path folder) {
        return new LocalTarget(folder, List.of(".txt"));
    }

    /// The folder as it is before.
    static void fill(Path folder) throws IOException {
        WriteJob job = WriteJob.create(false);
        target(folder).prepare(job);
        target(folder).commit(job, write(folder, job, OLD, "old"), false);
        target(folder).discard(job);
    }

    /// Writes the new files and commits them.
    WriteJob write(Path folder) throws IOException {
        WriteJob job = WriteJob.create(false);
        target(folder).prepare(job);
        target(folder).commit(job, write(folder, job, names, "new"), overwrite);
        target(folder).discard(job);
        return job;
    }

    static List<Placement> write(Path folder, WriteJob job, List<String> names, String text) throws IOException {
        List<Placement> placements = new ArrayList<>();
        for (String name : names) {
            OutputFile file = target(folder).create(job, "attempt-" + placements.size(), Allocator.collected("test"));
            file.write(ByteBuffer.wrap((text + " " + name).getBytes(StandardCharsets.UTF_8)));
            file.close();
            placements.add(new Placement(file.reference(), name + ".txt", 1, 1));
        }
        return placements;
    }

    /// Names and contents of what a read of the folder finds.
    static String seen(Path folder) throws IOException {
        TreeMap<String, String> all = new TreeMap<>();
        for (Iterator<StoredFile> files = new LocalStorage().walk(folder.toString()); files.hasNext(); ) {
            Path file = Path.of(files.next().path());
            all.put(folder.relativize(file).toString(), Files.readString(file));
        }
        return all.toString();
    }

    static String before() {
        return text(List.of(), OLD);
    }

    String after() {
        return text(names, overwrite ? List.of() : OLD);
    }

    private static String text(List<String> fresh, List<String> old) {
        TreeMap<String, String> all = new TreeMap<>();
        old.forEach(name -> all.put(name + ".txt", "old " + name));
        fresh.forEach(name -> all.put(name + ".txt", "new " + name));
        return all.toString();
    }

    /// @param arguments the scene, the folder, and what is to happen: `halt N` at the nth step of the commit, `wait` at
    ///     the step "placed" for a byte from the input, or `loop`: one commit after the other, each with texts of its
    ///     own
    public static void main(String[] arguments) throws IOException {
        CommitScene scene = valueOf(arguments[0]);
        Path folder = Path.of(arguments[1]);
        switch (arguments[2]) {
            case "halt" -> {
                int halt = Integer.parseInt(arguments[3]);
                AtomicInteger steps = new AtomicInteger();
                CommitSteps.watcher = _ -> {
                    if (steps.incrementAndGet() == halt) {
                        Runtime.getRuntime().halt(9);
                    }
                };
                scene.write(folder);
            }
            case "wait" -> {
                CommitSteps.watcher = step -> {
                    if (step.equals("placed")) {
                        CommitSteps.watcher = _ -> {};
                        say("placed");
                        await();
                    }
                };
                scene.write(folder);
            }
            default -> {
                for (int round = 0; ; round++) {
                    WriteJob job = WriteJob.create(false);
                    String prefix = scene.overwrite ? "" : "r" + round + "-" + job.id() + "-";
                    List<String> names = scene.names.stream()
                            .map(name -> prefix.isEmpty() ? name : name + prefix)
                            .toList();
                    target(folder).prepare(job);
                    List<Placement> placements = write(folder, job, names, "round " + round + " of " + job.id() + ":");
                    target(folder).commit(job, placements, scene.overwrite);
                    target(folder).discard(job);
                    say("round");
                }
            }
        }
    }

    private static void say(String word) {
        System.out.println(word);
        System.out.flush();
    }

    private static void await() {
        try {
            if (System.in.read() < 0) {
                Runtime.getRuntime().halt(1);
            }
        } catch (IOException _) {
            Runtime.getRuntime().halt(1);
        }
    }
}

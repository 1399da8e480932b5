package dev.millrace.internal.cluster.shuffle;

import dev.millrace.internal.sink.LocalTarget;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.ResumableSink.Placement;
import dev.millrace.sink.Target;
import dev.millrace.sink.TargetProvider;
import dev.millrace.sink.WriteJob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/// Local folders that have something wrong with them, by scheme: `private` is another folder in each process, `full`
/// takes nothing, and `filling` takes a hundred bytes of each file.
public final class OddFolders implements TargetProvider {
    @Override
    public List<String> schemes() {
        return List.of("private", "full", "filling");
    }

    @Override
    public Target open(String folder, List<String> endings) {
        int end = folder.indexOf("://");
        Path path = Path.of(folder.substring(end + 3));
        return switch (folder.substring(0, end)) {
            case "private" ->
                new LocalTarget(
                        path.resolve(String.valueOf(ProcessHandle.current().pid())), endings);
            case "full" -> new Limited(new LocalTarget(path, endings), 0);
            default -> new Limited(new LocalTarget(path, endings), 100);
        };
    }

    private record Limited(LocalTarget folder, long bytes) implements Target {
        @Override
        public OutputFile create(WriteJob job, String name, Allocator allocator) throws IOException {
            OutputFile file = folder.create(job, name, allocator);
            return new OutputFile() {
                private long written;

                @Override
                public int write(ByteBuffer source) throws IOException {
                    written += source.remaining();
                    if (written > bytes) {
                        throw new IOException("No space left on device");
                    }
                    return file.write(source);
                }

                @Override
                public String reference() {
                    return file.reference();
                }

                @Override
                public void delete() throws IOException {
                    file.delete();
                }

                @Override
                public boolean isOpen() {
                    return file.isOpen();
                }

                @Override
                public void close() throws IOException {
                    file.close();
                }
            };
        }

        @Override
        public void requireFolder() {
            folder.requireFolder();
        }

        @Override
        public boolean hasContents() {
            return folder.hasContents();
        }

        @Override
        public void prepare(WriteJob job) {
            folder.prepare(job);
        }

        @Override
        public String path(WriteJob job, String reference) {
            return folder.path(job, reference);
        }

        @Override
        public void remove(WriteJob job, List<String> references) throws IOException {
            folder.remove(job, references);
        }

        @Override
        public void requireName(WriteJob job, String name, boolean mayReplace) {
            folder.requireName(job, name, mayReplace);
        }

        @Override
        public void commit(WriteJob job, List<Placement> placements, boolean overwrite) {
            folder.commit(job, placements, overwrite);
        }

        @Override
        public void settle(WriteJob job, List<Placement> placements, boolean held) {
            folder.settle(job, placements, held);
        }

        @Override
        public void discard(WriteJob job) {
            folder.discard(job);
        }
    }
}

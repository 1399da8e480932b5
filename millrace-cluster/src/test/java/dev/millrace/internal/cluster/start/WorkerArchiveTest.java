package dev.millrace.internal.cluster.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerArchiveTest {
    @TempDir
    private Path folder;

    private Path archives;
    private Path jar;

    @BeforeEach
    void begin() throws IOException {
        archives = folder.resolve("archives");
        jar = Files.writeString(folder.resolve("a.jar"), "a");
    }

    private WorkerArchive of(String classPath) {
        return new WorkerArchive(archives, classPath, null);
    }

    private Path keep(WorkerArchive archive, String permissions) throws IOException {
        Files.createDirectories(archives);
        Files.setPosixFilePermissions(archives, PosixFilePermissions.fromString(permissions));
        Path kept = archive.kept();
        assertThat(kept).isNotNull();
        return Files.writeString(kept, "classes");
    }

    @Test
    void theArchiveOfThisProcessIsUsed() throws IOException {
        Path own = Files.writeString(folder.resolve("own.aot"), "classes");
        assertThat(new WorkerArchive(archives, jar.toString(), own).find()).isEqualTo(own);
        assertThat(WorkerArchive.flags(own)).contains("-XX:AOTCache=" + own);
        assertThat(WorkerArchive.flags(null)).isEmpty();

        Files.delete(own);

        assertThat(new WorkerArchive(archives, jar.toString(), own).find()).isNull();
    }

    @Test
    void anArchiveIsKeptByTheFilesOfTheClassPath() throws IOException {
        WorkerArchive archive = of(jar.toString());
        assertThat(archive.find()).isNull();
        Path kept = keep(archive, "rwx------");
        assertThat(archive.find()).isEqualTo(kept);
        Path other = Files.writeString(folder.resolve("b.jar"), "b");
        assertThat(of(jar + File.pathSeparator + other).find()).isNull();

        Files.writeString(jar, "changed");

        assertThat(archive.find()).isNull();
    }

    @Test
    void anArchiveThatOthersCouldWriteIsNotUsed() throws IOException {
        WorkerArchive archive = of(jar.toString());
        keep(archive, "rwxrwx---");

        assertThat(archive.find()).isNull();
    }

    @Test
    void ofFoldersWithClassesThereIsNone() {
        WorkerArchive archive = of(jar + File.pathSeparator + folder);

        archive.makeIfMissing();

        assertThat(archive.find()).isNull();
        assertThat(archives).doesNotExist();
    }

    @Test
    void aPlaceThatCannotBeWrittenToDoesNotMatter() {
        WorkerArchive archive = new WorkerArchive(jar.resolve("archives"), jar.toString(), null);

        archive.makeIfMissing();

        assertThat(archive.find()).isNull();
    }
}

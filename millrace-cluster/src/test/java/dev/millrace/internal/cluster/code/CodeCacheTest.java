package dev.millrace.internal.cluster.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeCacheTest {
    @TempDir
    Path folder;

    private Path jar(String name, int bytes) throws IOException {
        Path content = Files.createDirectories(folder.resolve(name + "-content"));
        byte[] noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        Files.write(content.resolve("noise.bin"), noise);
        return CompiledCode.jar(folder.resolve(name), content);
    }

    private static DriverCode driver(Path... classPath) {
        return new DriverCode(List.of(classPath), ClassLoader.getSystemClassLoader());
    }

    private static void use(CodeCache cache, DriverCode driver, int entry) throws IOException {
        try (JarFile jar = cache.open(driver.index().entries().get(entry), entry, driver)) {
            assertThat(jar.getEntry("noise.bin")).isNotNull();
        }
    }

    private List<Path> stored() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("cache"))) {
            return files.toList();
        }
    }

    @Test
    void theLeastRecentlyUsedLeaveWhenTheFolderIsFull() throws IOException {
        DriverCode driver = driver(jar("a.jar", 40_000), jar("b.jar", 40_001), jar("c.jar", 40_002));
        CodeCache cache = new CodeCache(folder.resolve("cache"), 100_000);
        use(cache, driver, 0);
        Files.setLastModifiedTime(stored().getFirst(), FileTime.fromMillis(1_000));
        use(cache, driver, 1);
        use(cache, driver, 2);
        assertThat(stored())
                .extracting(Path::getFileName)
                .extracting(Path::toString)
                .containsExactlyInAnyOrder(
                        driver.content(1).hash() + ".jar", driver.content(2).hash() + ".jar");
        use(cache, driver, 0);
    }

    @Test
    void anEntryLargerThanTheLimitIsStillUsed() throws IOException {
        DriverCode driver = driver(jar("a.jar", 3 << 20));
        use(new CodeCache(folder.resolve("cache"), 1000), driver, 0);
        assertThat(stored()).hasSize(1);
    }

    @Test
    void aDamagedFileIsFetchedAgain() throws IOException {
        DriverCode driver = driver(jar("a.jar", 5000));
        use(new CodeCache(folder.resolve("cache"), 1 << 20), driver, 0);
        Files.write(stored().getFirst(), new byte[100]);
        use(new CodeCache(folder.resolve("cache"), 1 << 20), driver, 0);
        assertThat(stored().getFirst()).hasSize(Files.size(folder.resolve("a.jar")));
    }

    @Test
    void aFolderThatCannotBeWrittenToIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        DriverCode driver = driver(jar("a.jar", 100));
        assertThatThrownBy(() -> use(new CodeCache(file.resolve("cache"), 1000), driver, 0))
                .hasMessageMatching("the folder for code, .*cache, cannot be written to \\(.*\\); start the worker with"
                        + " another one \\(--code-cache FOLDER\\)");
    }

    @Test
    void aClassPathIsWhatItsTextAndTheManifestsOfItsJarsName() throws IOException {
        Path content = Files.createDirectories(folder.resolve("content"));
        Path library = CompiledCode.jar(
                Files.createDirectories(folder.resolve("my lib")).resolve("library.jar"),
                content,
                CompiledCode.manifest(Map.of("Class-Path", "../app.jar gone.jar ")));
        Path app = CompiledCode.jar(
                folder.resolve("app.jar"),
                content,
                CompiledCode.manifest(Map.of("Class-Path", "my%20lib/library.jar")));
        assertThat(ClassPathFiles.of(String.join(
                        File.pathSeparator,
                        content.toString(),
                        app.toString(),
                        folder.resolve("none.jar").toString(),
                        "")))
                .containsExactly(content, app, library);
    }

    @Test
    void archivesOfTheSameFilesHaveTheSameHash() throws IOException {
        Path content = Files.createDirectories(folder.resolve("content/b"));
        Files.writeString(content.resolve("\u00e4.txt"), "x");
        Files.writeString(content.resolve("a.txt"), "y");
        Path first = folder.resolve("first.zip");
        Path second = folder.resolve("second.zip");
        FolderFiles.archive(content, FolderFiles.list(content), first);
        FolderFiles.archive(content, FolderFiles.list(content).reversed(), second);
        assertThat(CodeHash.ofFile(first)).isNotEqualTo(CodeHash.ofFile(second));
        assertThat(CodeHash.ofArchive(first)).isEqualTo(CodeHash.ofArchive(second));
        Files.writeString(content.resolve("a.txt"), "z");
        FolderFiles.archive(content, FolderFiles.list(content), second);
        assertThat(CodeHash.ofArchive(first)).isNotEqualTo(CodeHash.ofArchive(second));
    }
}

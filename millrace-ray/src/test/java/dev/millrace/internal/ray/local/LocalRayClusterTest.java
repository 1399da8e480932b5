package dev.millrace.internal.ray.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a cluster is started, with a stand-in for Python and Ray that is as slow as it is told to be; `RaySessionIT` has
/// the real one.
class LocalRayClusterTest {
    private static final LocalRayCluster.Shape ONE_NODE = new LocalRayCluster.Shape(1, 1, 0, 100L << 20, false);

    @TempDir
    Path folder;

    @Test
    void aClusterThatRayFoundTooSlowIsStartedAgain() throws IOException {
        Path state = folder.resolve("state");
        LocalRayCluster cluster = LocalRayCluster.up(state, tooSlow(2), ONE_NODE);
        try {
            assertThat(cluster.running()).hasSize(1);
            assertThat(starts()).isEqualTo(3);
        } finally {
            cluster.down();
        }
        assertThat(LocalRayCluster.find(state)).isEmpty();
    }

    @Test
    void oneThatIsAlwaysTooSlowIsGivenUpWithWhatRaySaid() throws IOException {
        Path state = folder.resolve("state");
        RayEnvironment environment = tooSlow(100);
        assertThatThrownBy(() -> LocalRayCluster.up(state, environment, ONE_NODE))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("Ray's node 127.0.0.2 ended with code 1 while it started. It said:")
                .hasMessageContaining("The current node timed out during startup");
        assertThat(starts()).isEqualTo(3);
        assertThat(LocalRayCluster.find(state)).isEmpty();
    }

    /// @param times how often the start of a node fails
    private RayEnvironment tooSlow(int times) throws IOException {
        Path python = folder.resolve("python");
        Files.writeString(python, """
                #!/bin/sh
                echo start >>'%1$s'
                if [ "$(wc -l <'%1$s')" -le %2$d ]; then
                  echo 'Exception: The current node timed out during startup.'
                  exit 1
                fi
                echo 'Ray runtime started'
                exec sleep 300
                """.formatted(folder.resolve("starts"), times));
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
        return new RayEnvironment(python, RayEnvironment.VERSION);
    }

    private int starts() throws IOException {
        return Files.readAllLines(folder.resolve("starts")).size();
    }
}

package dev.millrace.internal.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

class OnnxEnvironmentTest {
    /// What a program of this library does first.
    static final class Starts {
        private Starts() {}

        public static void main(String[] arguments) {
            OnnxEnvironment.get();
            System.out.println("started");
        }
    }

    @Test
    void aLongCommandLineDoesNotEndTheProcess() throws Exception {
        Process process = ChildJvm.start(List.of(), Starts.class, "a/path/of/some/library-1.2.3.jar:".repeat(1000));
        assertThat(ChildJvm.linesOf(process)).containsExactly("started");
    }
}

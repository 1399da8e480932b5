package dev.millrace.internal.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.MillraceException;
import dev.millrace.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

class MissingRuntimeTest {
    /// onnxruntime chooses its library by the names that Java has for the system; there is none for this one.
    @Test
    void aSystemWithoutALibraryIsToldWhichThereAre() throws Exception {
        assertThat(ChildJvm.linesOf(
                        ChildJvm.start(List.of("-Xmx64m", "-Dos.name=Mac OS X", "-Dos.arch=x86_64"), Program.class)))
                .hasSize(2)
                .allMatch(
                        line -> line.startsWith("USER ONNX models are run by onnxruntime, whose library for Mac OS X on"
                                        + " x86_64 does not load (")
                                && line.endsWith(
                                        "). The artifact com.microsoft.onnxruntime:onnxruntime has those of Linux on x86-64"
                                                + " and arm64, macOS on arm64 and Windows on x86-64; elsewhere -Donnxruntime.native.path"
                                                + " names the folder of one that was built there."));
    }

    static final class Program {
        /// Twice: what failed once must not fail in other words.
        public static void main(String[] args) {
            for (int i = 0; i < 2; i++) {
                try {
                    System.out.println(OnnxEnvironment.get());
                } catch (MillraceException e) {
                    System.out.println(e.culprit() + " " + e.getMessage());
                }
            }
        }
    }
}

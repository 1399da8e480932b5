package dev.millrace.internal.images.codec;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.images.Images;
import dev.millrace.images.options.ImageEncoding;
import dev.millrace.images.options.ImageMode;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.ChildJvm;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process without OpenCV's libraries, as on a system whose artifacts a program forgot.
class MissingLibrariesTest {
    private static final String PLATFORM = "macosx-arm64";
    private static final String SENTENCE = "USER Images are decoded and encoded by OpenCV, whose libraries for "
            + PLATFORM + " do not load. Add " + artifact("opencv") + ", " + artifact("openblas") + " and "
            + artifact("javacpp") + " to the class path.";

    @TempDir
    Path folder;

    @Test
    void whoeverDescribesAReadOrAnOperationIsToldWhatToAdd() throws Exception {
        assertThat(without(folder.toString()))
                .containsExactly(
                        "readImages: " + SENTENCE,
                        "decode: " + SENTENCE,
                        "encode: " + SENTENCE,
                        "writeImages: " + SENTENCE,
                        "a decoder: " + SENTENCE,
                        "an encoder: " + SENTENCE,
                        "resize: nothing");
    }

    /// In the version that the tests have.
    private static String artifact(String name) {
        Matcher jar = Pattern.compile("/" + name + "-([0-9.-]+)\\.jar").matcher(System.getProperty("java.class.path"));
        assertThat(jar.find()).isTrue();
        return "org.bytedeco:" + name + ":" + jar.group(1) + ":" + PLATFORM;
    }

    private static List<String> without(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.command(
                List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-Dorg.bytedeco.javacpp.platform=" + PLATFORM),
                Program.class,
                arguments));
        int classPath = command.indexOf("-cp") + 1;
        command.set(
                classPath,
                Arrays.stream(command.get(classPath).split(File.pathSeparator))
                        .filter(entry -> !entry.matches(".*(opencv|openblas|javacpp)-[^/]*x86_64\\.jar"))
                        .collect(Collectors.joining(File.pathSeparator)));
        return ChildJvm.linesOf(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    static final class Program {
        private interface Attempt {
            void run() throws Exception;
        }

        public static void main(String[] args) throws Exception {
            Path photos = Path.of(args[0]);
            byte[] jpeg = jpeg();
            Files.write(photos.resolve("photo.jpg"), jpeg);
            try (Session session =
                            Session.builder().progress(ProgressSettings.OFF).open();
                    Arena arena = Arena.ofConfined()) {
                attempt("readImages", () -> session.readImages(args[0]).onReadError(ErrorPolicy.skip()));
                attempt("decode", () -> Images.decode(col("bytes")));
                attempt("encode", () -> Images.encode(col("image"), ImageEncoding.png()));
                attempt(
                        "writeImages",
                        () -> session.rangeTensor(1, 8, 8, 3)
                                .writeImages(photos.resolve("out").toString(), "data"));
                MemorySegment encoded = arena.allocate(jpeg.length).copyFrom(MemorySegment.ofArray(jpeg));
                attempt(
                        "a decoder",
                        () -> ImageDecoder.ofThread()
                                .decode(
                                        encoded,
                                        ImageDecoder.header(encoded, 1_000),
                                        ImageMode.RGB,
                                        1,
                                        arena.allocate(8 * 8 * 3),
                                        session.allocator()));
                attempt("an encoder", () -> encoder(session.allocator()));
                attempt("resize", () -> Images.resize(col("image"), 4, 4));
            }
        }

        private static void encoder(Allocator scratch) {
            try (ImageEncoder _ = new ImageEncoder(ImageEncoding.png(), scratch)) {
                throw new AssertionError("was made");
            }
        }

        private static void attempt(String what, Attempt attempt) {
            String said = "nothing";
            try {
                attempt.run();
            } catch (MillraceException e) {
                said = e.culprit() + " " + e.getMessage();
            } catch (Throwable e) {
                said = e.toString();
            }
            System.out.println(what + ": " + said);
        }

        /// 8 x 8 pixels, by the JDK.
        private static byte[] jpeg() throws Exception {
            BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ImageIO.write(image, "jpg", out);
            return out.toByteArray();
        }
    }
}

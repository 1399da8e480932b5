package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;

/// OpenCV's libraries: loaded at the first image, told to be quiet and to use no threads of their own, since the
/// tasks of a run are the parallelism.
final class OpenCv {
    /// `cv::utils::logging::setLogLevel(LogLevel)` as compilers for Linux and macOS name it.
    private static final String SET_LOG_LEVEL = "_ZN2cv5utils7logging11setLogLevelENS1_8LogLevelE";
    private static final int SILENT = 0;

    private OpenCv() {}

    /// Makes sure that the libraries are there.
    ///
    /// @throws MillraceException culprit USER, naming the artifacts to add, where they are not
    static void require() {
        if (Loaded.FAILURE != null) {
            throw new MillraceException(Culprit.USER, Loaded.FAILURE.getMessage(), Loaded.FAILURE);
        }
    }

    private static final class Loaded {
        static final MillraceException FAILURE = load();

        private static MillraceException load() {
            try {
                Loader.load(opencv_imgcodecs.class);
                opencv_core.setNumThreads(1);
                silence();
                return MatHeader.isAsExpected()
                        ? null
                        : MillraceException.internal("This OpenCV lays out its matrices in another way than OpenCV 4.");
            } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
                return new MillraceException(Culprit.USER, missing(Loader.getPlatform()), e);
            }
        }
    }

    /// What to add where the libraries of a platform are not on the class path.
    static String missing(String platform) {
        return "Images are decoded by OpenCV, whose libraries for " + platform + " do not load. Add the artifacts"
                + " org.bytedeco:opencv, org.bytedeco:openblas and org.bytedeco:javacpp with the classifier '"
                + platform
                + "' to the class path, in the versions of millrace-images.";
    }

    /// OpenCV writes what is wrong with an image to standard error; here it is told by exceptions.
    private static void silence() {
        Optional<MemorySegment> function = SymbolLookup.loaderLookup().find(SET_LOG_LEVEL);
        if (function.isPresent()) {
            try {
                int _ = (int) Linker.nativeLinker()
                        .downcallHandle(function.get(), FunctionDescriptor.of(JAVA_INT, JAVA_INT))
                        .invokeExact(SILENT);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

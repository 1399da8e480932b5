package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.jspecify.annotations.Nullable;

/// OpenCV's libraries. They are loaded at the first image, with logging off and without threads of their own, since the
/// tasks of a run provide the parallelism. Describing a read or an operation that needs missing libraries fails
/// ([#requirePresent]) before anything runs and before an error policy counts rows.
public final class OpenCv {
    /// The mangled name of `cv::utils::logging::setLogLevel(LogLevel)` on Linux and macOS.
    private static final String SET_LOG_LEVEL = "_ZN2cv5utils7logging11setLogLevelENS1_8LogLevelE";
    private static final int SILENT = 0;

    private OpenCv() {}

    /// One library of each artifact that is loaded.
    private static final List<NativeLibrary> LIBRARIES = List.of(
            new NativeLibrary("opencv", "jniopencv_imgcodecs"),
            new NativeLibrary("openblas", "jniopenblas_nolapack"),
            new NativeLibrary("javacpp", "jnijavacpp"));

    private record NativeLibrary(String artifact, String name) {
        boolean isOnClassPath(String platform) {
            Properties names = Loader.loadProperties(platform, null);
            String file = names.getProperty("platform.library.prefix", "")
                    + name
                    + names.getProperty("platform.library.suffix", "");
            return Loader.class.getResource("/org/bytedeco/" + artifact + "/" + platform + "/" + file) != null;
        }

        /// The coordinates for build tools: group, artifact, version and classifier.
        String coordinates(String platform) {
            String version;
            try {
                version = Loader.getVersion("org.bytedeco", artifact);
            } catch (IOException e) {
                version = "VERSION";
            }
            return "org.bytedeco:" + artifact + ":" + version + ":" + platform;
        }
    }

    /// Checks that the libraries can be found. This looks for their files on the class path and loads nothing, unless
    /// they are not there: then it tries to load them from the system's library path.
    ///
    /// @throws MillraceException culprit USER, naming the artifacts to add, if they are missing
    public static void requirePresent() {
        String platform = Loader.getPlatform();
        if (!LIBRARIES.stream().allMatch(library -> library.isOnClassPath(platform))) {
            require();
        }
    }

    /// Ensures that the libraries are loaded. Must be called before any class of OpenCV is touched: those would load
    /// the libraries themselves and fail with their own message.
    ///
    /// @throws MillraceException culprit USER, naming the artifacts to add, if they are missing
    public static void require() {
        LoadFailure failure = Loaded.FAILURE;
        if (failure != null) {
            throw new MillraceException(Culprit.USER, failure.message(), failure.cause());
        }
    }

    private record LoadFailure(String message, @Nullable Throwable cause) {}

    private static final class Loaded {
        static final @Nullable LoadFailure FAILURE = load();

        private static @Nullable LoadFailure load() {
            try {
                Loader.load(opencv_imgcodecs.class);
                opencv_core.setNumThreads(1);
                silence();
                return MatHeader.isAsExpected()
                        ? null
                        : new LoadFailure("This OpenCV lays out its matrices in another way than OpenCV 4.", null);
            } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
                return new LoadFailure(missing(Loader.getPlatform()), e);
            }
        }
    }

    /// The artifacts to add if the libraries of a platform are not on the class path.
    static String missing(String platform) {
        List<String> artifacts =
                LIBRARIES.stream().map(library -> library.coordinates(platform)).toList();
        return "Images are decoded and encoded by OpenCV, whose libraries for " + platform + " do not load. Add "
                + artifacts.get(0) + ", " + artifacts.get(1) + " and " + artifacts.get(2) + " to the class path.";
    }

    /// Disables OpenCV's logging to standard error: problems of an image are reported by exceptions here.
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

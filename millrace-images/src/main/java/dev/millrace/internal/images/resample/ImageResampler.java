package dev.millrace.internal.images.resample;

import dev.millrace.images.options.Interpolation;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Resizes images and computes only the requested pixels. It owns working memory that is reused for every image:
/// [#take] an instance for a batch of images and close it to return it to the pool. For one thread at a time.
///
/// If requested, the result equals Pillow's bit for bit: one pass along each axis, rounded to 8 bits in between. Pillow
/// before version 13 always ran the horizontal pass first; its results differ by a rounding for images whose height
/// shrinks much.
public final class ImageResampler implements AutoCloseable {
    /// The limit in pixels above which working memory is not kept for reuse.
    private static final long KEPT_PIXELS = 1 << 20;

    /// The number of cached taps; images of one source come in few sizes.
    private static final int KEPT_TAPS = 32;

    private static final ConcurrentLinkedQueue<ImageResampler> IDLE = new ConcurrentLinkedQueue<>();

    private final AcrossThenDown acrossThenDown = new AcrossThenDown();
    private final DownThenAcross downThenAcross = new DownThenAcross();
    private final NearPlanes nearPlanes = new NearPlanes();
    private int[] row = {};
    private final Map<Axis, FilterTaps> taps = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Axis, FilterTaps> eldest) {
            return size() > KEPT_TAPS;
        }
    };

    /// The key of cached taps: `in` pixels are resized to `out`, of which `length` are wanted.
    private record Axis(int in, int out, Interpolation filter, int from, int length) {
        FilterTaps taps() {
            return FilterTaps.of(in, out, filter, from, length);
        }
    }

    private ImageResampler() {}

    /// An idle instance, or a new one.
    public static ImageResampler take() {
        ImageResampler idle = IDLE.poll();
        return idle == null ? new ImageResampler() : idle;
    }

    /// Returns the instance to the pool.
    @Override
    public void close() {
        if (acrossThenDown.size() + downThenAcross.size() + nearPlanes.size() <= KEPT_PIXELS) {
            IDLE.add(this);
        }
    }

    /// Resizes `image` to `width` x `height` pixels and writes the region `window` of the result to `target`, which has
    /// the window's size and the image's channels.
    public void resize(
            PixelImage image,
            int width,
            int height,
            ImageWindow window,
            Interpolation interpolation,
            PixelImage target) {
        if (target.width() != window.width()
                || target.height() != window.height()
                || target.channels() != image.channels()) {
            throw new IllegalArgumentException("The target is " + target.width() + " x " + target.height() + " x "
                    + target.channels() + " but the window is " + window.width() + " x " + window.height() + " x "
                    + image.channels() + ".");
        }
        boolean premultiply = image.channels() == 4
                && interpolation != Interpolation.NEAREST
                && (image.width() != width || image.height() != height);
        run(image, width, height, window, interpolation, premultiply, new ByteRows(target, premultiply));
    }

    /// Resizes `image` to `width` x `height` pixels and writes the region `window` of the result to `target` as
    /// numbers, plane by plane. A grey image fills every plane; alpha is dropped.
    ///
    /// @param exact whether the pixels must equal Pillow's; otherwise some may differ by 2 of 255
    public void planes(
            PixelImage image,
            int width,
            int height,
            ImageWindow window,
            Interpolation interpolation,
            boolean exact,
            PixelPlanes planes,
            MemorySegment target) {
        planes.requireChannels(image);
        if (!exact && near(image, width, height, window, interpolation, planes, target)) {
            return;
        }
        PixelRowSink sink = new PlaneRows(planes, image.channels(), window.width(), window.height(), target);
        run(image, width, height, window, interpolation, false, sink);
    }

    /// Uses the fast path if there is one.
    private boolean near(
            PixelImage image,
            int width,
            int height,
            ImageWindow window,
            Interpolation interpolation,
            PixelPlanes planes,
            MemorySegment target) {
        if (interpolation == Interpolation.NEAREST
                || image.width() == width && image.height() == height
                || isDownFirst(image, width, height)) {
            return false;
        }
        requireSize(width, height);
        window.requireInside(width, height);
        if (!NearPlanes.isFor(image, planes)) {
            return false;
        }
        NearTaps across = taps(image.width(), width, interpolation, window.x(), window.width())
                .near();
        NearTaps down = taps(image.height(), height, interpolation, window.y(), window.height())
                .near();
        if (across == null || down == null) {
            return false;
        }
        nearPlanes.run(image, across, down, planes, target);
        return true;
    }

    private static void requireSize(int width, int height) {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException(
                    "An image cannot be resized to " + width + " x " + height + " pixels: both must be positive.");
        }
    }

    private void run(
            PixelImage image,
            int width,
            int height,
            ImageWindow window,
            Interpolation interpolation,
            boolean premultiply,
            PixelRowSink sink) {
        requireSize(width, height);
        window.requireInside(width, height);
        if (image.width() == width && image.height() == height) {
            copy(image.window(window), sink);
            return;
        }
        if (interpolation == Interpolation.NEAREST) {
            NearestResize.rows(image, width, height, window, sink);
            return;
        }
        FilterTaps across = taps(image.width(), width, interpolation, window.x(), window.width());
        FilterTaps down = taps(image.height(), height, interpolation, window.y(), window.height());
        if (isDownFirst(image, width, height)) {
            downThenAcross.run(image, across, down, premultiply, sink);
        } else {
            acrossThenDown.run(image, across, down, premultiply, sink);
        }
    }

    /// Copies an image that already has the size; premultiplying and unmultiplying alpha would change it.
    private void copy(PixelImage image, PixelRowSink sink) {
        int width = image.width();
        if (row.length < width) {
            row = new int[width];
        }
        for (int y = 0; y < image.height(); y++) {
            PixelLoader.row(image, 0, width, y, false, row);
            sink.row(y, row, width);
        }
    }

    private FilterTaps taps(int in, int out, Interpolation filter, int from, int length) {
        return taps.computeIfAbsent(new Axis(in, out, filter, from, length), Axis::taps);
    }

    /// Pillow's rule since version 13: the vertical pass comes first if it discards more than twice as many pixels.
    private static boolean isDownFirst(PixelImage image, int width, int height) {
        long fewer = (long) image.height() - height;
        return fewer > 0 && fewer > 2 * ((long) image.width() - width);
    }
}

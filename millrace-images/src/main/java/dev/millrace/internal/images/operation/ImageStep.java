package dev.millrace.internal.images.operation;

import dev.millrace.images.options.ImageEncoding;
import dev.millrace.images.options.ImageMode;
import dev.millrace.images.options.Interpolation;
import dev.millrace.internal.images.codec.BadImage;
import dev.millrace.internal.images.resample.ImageWindow;
import dev.millrace.internal.images.resample.PixelPlanes;
import java.io.Serializable;
import java.util.List;

/// One operation on an image.
public sealed interface ImageStep extends Serializable {
    /// The shape of its result.
    ///
    /// @throws BadImage if the step cannot be applied to an image, or to a shape known in advance
    ImageShape after(ImageShape before) throws BadImage;

    /// The expression as text: "resize(image, 256, 256)".
    String text(String argument);

    /// Decodes encoded images; only the first step of a chain.
    record Decode(ImageMode mode, boolean upright, long maxPixels) implements ImageStep {
        @Override
        public ImageShape after(ImageShape before) {
            return before.withChannels(mode.channels());
        }

        @Override
        public String text(String argument) {
            return "decode(" + argument + (mode == ImageMode.RGB ? "" : ", " + mode) + ")";
        }
    }

    record Convert(ImageMode mode) implements ImageStep {
        @Override
        public ImageShape after(ImageShape before) {
            return before.withChannels(mode.channels());
        }

        @Override
        public String text(String argument) {
            return "convert(" + argument + ", " + mode + ")";
        }
    }

    /// A step that resizes with a filter.
    sealed interface Resizing extends ImageStep {
        Interpolation filter();
    }

    record Resize(int height, int width, Interpolation filter) implements Resizing {
        @Override
        public ImageShape after(ImageShape before) {
            return before.withSize(height, width);
        }

        @Override
        public String text(String argument) {
            return "resize(" + argument + ", " + height + ", " + width + filterText(filter) + ")";
        }
    }

    /// Resizes the shorter side to this many pixels; the longer side keeps the aspect ratio, truncated to an integer as
    /// in torchvision.
    record ResizeShorterSide(int side, Interpolation filter) implements Resizing {
        @Override
        public ImageShape after(ImageShape before) throws BadImage {
            if (!before.knowsSize()) {
                return before;
            }
            int shorter = Math.min(before.height(), before.width());
            long height = (long) side * before.height() / shorter;
            long width = (long) side * before.width() / shorter;
            if (Math.max(height, width) > Integer.MAX_VALUE) {
                throw new BadImage("has " + before.size() + " pixels and is too narrow for a shorter side of " + side);
            }
            return before.withSize((int) height, (int) width);
        }

        @Override
        public String text(String argument) {
            return "resizeShorterSide(" + argument + ", " + side + filterText(filter) + ")";
        }
    }

    /// A step that cuts out a region.
    sealed interface Cropping extends ImageStep {
        int height();

        int width();

        ImageWindow window(ImageShape whole);

        @Override
        default ImageShape after(ImageShape before) throws BadImage {
            if (before.knowsSize()) {
                ImageWindow window = window(before);
                if (window.x() < 0
                        || window.y() < 0
                        || window.x() > before.width() - width()
                        || window.y() > before.height() - height()) {
                    throw new BadImage(
                            "has " + before.size() + " pixels, and " + text("image") + " does not lie in it");
                }
            }
            return before.withSize(height(), width());
        }
    }

    record Crop(int top, int left, int height, int width) implements Cropping {
        @Override
        public ImageWindow window(ImageShape whole) {
            return new ImageWindow(left, top, width, height);
        }

        @Override
        public String text(String argument) {
            return "crop(" + argument + ", " + top + ", " + left + ", " + height + ", " + width + ")";
        }
    }

    record CentreCrop(int height, int width) implements Cropping {
        @Override
        public ImageWindow window(ImageShape whole) {
            return ImageWindow.centre(whole.width(), whole.height(), width, height);
        }

        @Override
        public String text(String argument) {
            return "centreCrop(" + argument + ", " + height + ", " + width + ")";
        }
    }

    record Flip(boolean horizontal) implements ImageStep {
        @Override
        public ImageShape after(ImageShape before) {
            return before;
        }

        @Override
        public String text(String argument) {
            return (horizontal ? "flipHorizontal(" : "flipVertical(") + argument + ")";
        }
    }

    /// Normalised numbers, one plane per channel; only the last step of a chain.
    ///
    /// @param mean one per plane; empty: one plane per channel, divided by 255
    record ToPlanes(List<Double> mean, List<Double> std, boolean half) implements ImageStep {
        PixelPlanes planes(int channels) {
            return mean.isEmpty()
                    ? PixelPlanes.unit(channels, half)
                    : PixelPlanes.normalised(numbers(mean), numbers(std), half);
        }

        private static double[] numbers(List<Double> list) {
            return list.stream().mapToDouble(Double::doubleValue).toArray();
        }

        @Override
        public ImageShape after(ImageShape before) throws BadImage {
            if (mean.isEmpty()) {
                return before;
            }
            if (before.channels() != ImageShape.ANY && before.channels() != 1 && before.channels() < mean.size()) {
                throw new BadImage(
                        "has " + before.channels() + " channels, and " + text("image") + " takes " + mean.size());
            }
            return before.withChannels(mean.size());
        }

        @Override
        public String text(String argument) {
            String options = mean.isEmpty() ? "" : ", " + mean + ", " + std;
            return (mean.isEmpty() ? "toChw(" : "normalise(") + argument + options + (half ? ", float16" : "") + ")";
        }
    }

    /// Encodes images; only the last step of a chain.
    record Encode(ImageEncoding encoding) implements ImageStep {
        @Override
        public ImageShape after(ImageShape before) throws BadImage {
            if (encoding.kind() == ImageEncoding.Kind.JPEG && before.channels() == 4) {
                throw new BadImage("has four channels, and JPEG has no transparency. Use convert(image, RGB), or PNG");
            }
            return before;
        }

        @Override
        public String text(String argument) {
            return "encode(" + argument + ", " + encoding + ")";
        }
    }

    private static String filterText(Interpolation filter) {
        return filter == Interpolation.BILINEAR ? "" : ", " + filter;
    }
}

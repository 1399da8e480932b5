package dev.millrace.images.options;

/// The resampling filter of a resize. All but [#NEAREST] are antialiased: when an image shrinks, the filter widens
/// accordingly, so that every pixel contributes. The results equal those of Pillow's `Image.resize` bit for bit.
public enum Interpolation {
    /// The nearest pixel only.
    NEAREST(0),
    /// The mean of the pixels that the new pixel covers.
    BOX(0.5),
    /// Bilinear (a triangle filter): the usual choice for models.
    BILINEAR(1),
    /// Bicubic with a = -0.5; sharper.
    BICUBIC(2),
    /// A sinc windowed to three lobes; the sharpest and the slowest.
    LANCZOS(3);

    private final double support;

    Interpolation(double support) {
        this.support = support;
    }

    /// The radius of the filter, in pixels of the smaller image.
    public double support() {
        return support;
    }

    /// The filter's value at a distance from its centre.
    public double weight(double distance) {
        return switch (this) {
            case NEAREST, BOX -> distance > -0.5 && distance <= 0.5 ? 1 : 0;
            case BILINEAR -> Math.max(0, 1 - Math.abs(distance));
            case BICUBIC -> cubic(Math.abs(distance));
            case LANCZOS -> distance >= -3 && distance < 3 ? sinc(distance) * sinc(distance / 3) : 0;
        };
    }

    private static double cubic(double x) {
        double a = -0.5;
        if (x < 1) {
            return ((a + 2) * x - (a + 3)) * x * x + 1;
        }
        return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
    }

    private static double sinc(double x) {
        return x == 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI);
    }
}

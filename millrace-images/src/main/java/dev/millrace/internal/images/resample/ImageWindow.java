package dev.millrace.internal.images.resample;

/// A region of an image, in pixels.
public record ImageWindow(int x, int y, int width, int height) {

    /// The centre of an image, or of an image after resizing. Half an odd margin is rounded half to even, as in
    /// torchvision.
    public static ImageWindow centre(int imageWidth, int imageHeight, int width, int height) {
        return new ImageWindow(
                (int) Math.rint((imageWidth - width) / 2.0),
                (int) Math.rint((imageHeight - height) / 2.0),
                width,
                height);
    }

    void requireInside(int imageWidth, int imageHeight) {
        if (x < 0 || y < 0 || width < 1 || height < 1 || x > imageWidth - width || y > imageHeight - height) {
            throw new IllegalArgumentException("A window of " + width + " x " + height + " pixels at (" + x + ", " + y
                    + ") does not lie in an image of " + imageWidth + " x " + imageHeight + " pixels.");
        }
    }
}

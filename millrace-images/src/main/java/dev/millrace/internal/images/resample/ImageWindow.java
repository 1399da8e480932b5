package dev.millrace.internal.images.resample;

/// A part of an image, in pixels.
public record ImageWindow(int x, int y, int width, int height) {

    /// The middle of an image, or of what an image would be after resizing. An odd margin is halved to the even
    /// neighbour, as torchvision does it.
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

package dev.millrace.internal.images.resample;

/// Colours multiplied by their alpha, as Pillow does around every resize: otherwise the colour of invisible pixels
/// would bleed into visible ones.
final class PremultipliedAlpha {
    private PremultipliedAlpha() {}

    static void premultiply(int[] line, int length) {
        for (int i = 0; i < length; i++) {
            int pixel = line[i];
            int alpha = pixel >>> 24;
            line[i] = times(pixel & 255, alpha)
                    | times(pixel >>> 8 & 255, alpha) << 8
                    | times(pixel >>> 16 & 255, alpha) << 16
                    | alpha << 24;
        }
    }

    /// `a * b / 255`, rounded.
    private static int times(int a, int b) {
        int product = a * b + 128;
        return (product >>> 8) + product >>> 8;
    }

    static void unpremultiply(int[] line, int length) {
        for (int i = 0; i < length; i++) {
            int pixel = line[i];
            int alpha = pixel >>> 24;
            if (alpha != 0 && alpha != 255) {
                line[i] = over(pixel & 255, alpha)
                        | over(pixel >>> 8 & 255, alpha) << 8
                        | over(pixel >>> 16 & 255, alpha) << 16
                        | alpha << 24;
            }
        }
    }

    private static int over(int colour, int alpha) {
        return Math.min(255, 255 * colour / alpha);
    }
}

package dev.millrace.images.options;

import dev.millrace.error.MillraceException;
import java.io.Serializable;

/// The file format and quality with which an image is encoded: `ImageEncoding.jpeg(90)`.
///
/// @param kind the file format
/// @param level the quality of JPEG (0 to 100) and WebP (1 to 100, 101: lossless), the effort of PNG (0 to 9)
public record ImageEncoding(Kind kind, int level) implements Serializable {
    /// The file formats that images are written in.
    public enum Kind {
        JPEG("jpg", 0, 100),
        PNG("png", 0, 9),
        WEBP("webp", 1, 101);

        private final String extension;
        private final int least;
        private final int most;

        Kind(String extension, int least, int most) {
            this.extension = extension;
            this.least = least;
            this.most = most;
        }

        /// The file extension, without the dot.
        public String extension() {
            return extension;
        }
    }

    /// PIL's default.
    private static final int JPEG_QUALITY = 75;
    private static final int PNG_LEVEL = 6;
    private static final int WEBP_QUALITY = 80;
    private static final int LOSSLESS = 101;

    public ImageEncoding {
        if (level < kind.least || level > kind.most) {
            throw MillraceException.user(kind + " is written with " + (kind == Kind.PNG ? "an effort" : "a quality")
                    + " from " + kind.least + " to " + (kind == Kind.WEBP ? 100 : kind.most) + ", not " + level + ".");
        }
    }

    /// JPEG with quality 75.
    public static ImageEncoding jpeg() {
        return jpeg(JPEG_QUALITY);
    }

    /// JPEG.
    ///
    /// @param quality from 0 to 100
    public static ImageEncoding jpeg(int quality) {
        return new ImageEncoding(Kind.JPEG, quality);
    }

    /// PNG with effort 6.
    public static ImageEncoding png() {
        return png(PNG_LEVEL);
    }

    /// PNG, which is lossless.
    ///
    /// @param level from 0 (fast) to 9 (small)
    public static ImageEncoding png(int level) {
        return new ImageEncoding(Kind.PNG, level);
    }

    /// WebP with quality 80.
    public static ImageEncoding webp() {
        return webp(WEBP_QUALITY);
    }

    /// WebP.
    ///
    /// @param quality from 1 to 100
    public static ImageEncoding webp(int quality) {
        return new ImageEncoding(Kind.WEBP, quality == LOSSLESS ? quality + 1 : quality);
    }

    /// Lossless WebP.
    public static ImageEncoding losslessWebp() {
        return new ImageEncoding(Kind.WEBP, LOSSLESS);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case JPEG -> "jpeg(" + level + ")";
            case PNG -> "png(" + level + ")";
            case WEBP -> level == LOSSLESS ? "losslessWebp" : "webp(" + level + ")";
        };
    }
}

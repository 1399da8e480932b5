package dev.millrace.images.options;

import dev.millrace.sink.FileNames;
import dev.millrace.sink.WriteFormatOptions;
import dev.millrace.sink.WriteOptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Options of writing image files, one for each row: `WriteImages.jpeg(90).namedBy("name")`.
///
/// @param encoding the format of the files
/// @param nameColumn the column that contains the file names; null: files are numbered
/// @param files how an existing folder is treated, and custom names for files that are not named by a column
public record WriteImages(ImageEncoding encoding, @Nullable String nameColumn, WriteOptions files)
        implements WriteFormatOptions {
    public WriteImages {
        Objects.requireNonNull(encoding, "encoding");
        Objects.requireNonNull(files, "files");
    }

    /// Numbered files of this encoding.
    public static WriteImages of(ImageEncoding encoding) {
        return new WriteImages(encoding, null, WriteOptions.defaults());
    }

    /// JPEG with quality 75.
    public static WriteImages jpeg() {
        return of(ImageEncoding.jpeg());
    }

    /// JPEG files.
    ///
    /// @param quality from 0 to 100
    public static WriteImages jpeg(int quality) {
        return of(ImageEncoding.jpeg(quality));
    }

    /// PNG files, which are lossless.
    public static WriteImages png() {
        return of(ImageEncoding.png());
    }

    /// WebP with quality 80.
    public static WriteImages webp() {
        return of(ImageEncoding.webp());
    }

    /// Names files by a text column: `cats/7` becomes `cats/7.jpg`, and the extension of another image format is
    /// replaced. For an absolute path or a URI only the last segment is used. Names must be unique.
    public WriteImages namedBy(String column) {
        Objects.requireNonNull(column, "namedBy: the column's name is null");
        return new WriteImages(encoding, column, files);
    }

    /// Replaces existing images in the folder.
    public WriteImages overwrite() {
        return new WriteImages(encoding, nameColumn, files.overwrite());
    }

    /// Fails if the folder contains files.
    public WriteImages errorIfExists() {
        return new WriteImages(encoding, nameColumn, files.errorIfExists());
    }

    /// Writes nothing if the folder contains files.
    public WriteImages ignoreExisting() {
        return new WriteImages(encoding, nameColumn, files.ignoreExisting());
    }

    /// Custom names for files that are not named by a column.
    public WriteImages names(FileNames provider) {
        return new WriteImages(encoding, nameColumn, files.names(provider));
    }
}

package dev.millrace.images.options;

import dev.millrace.sink.FileNames;
import dev.millrace.sink.WriteFormatOptions;
import dev.millrace.sink.WriteOptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Options of writing image files, one for each row: `WriteImages.jpeg(90).namedBy("name")`.
///
/// @param encoding the format of the files
/// @param nameColumn the column with the files' names; null: they are numbered
/// @param files what becomes of a folder that is there, and names of your own for files that no column names
public record WriteImages(ImageEncoding encoding, @Nullable String nameColumn, WriteOptions files)
        implements WriteFormatOptions {
    public WriteImages {
        Objects.requireNonNull(encoding, "encoding");
        Objects.requireNonNull(files, "files");
    }

    /// Files of this encoding, numbered.
    public static WriteImages of(ImageEncoding encoding) {
        return new WriteImages(encoding, null, WriteOptions.defaults());
    }

    /// JPEG of quality 75.
    public static WriteImages jpeg() {
        return of(ImageEncoding.jpeg());
    }

    /// JPEG files.
    ///
    /// @param quality from 0 to 100
    public static WriteImages jpeg(int quality) {
        return of(ImageEncoding.jpeg(quality));
    }

    /// PNG files, without loss.
    public static WriteImages png() {
        return of(ImageEncoding.png());
    }

    /// WebP of quality 80.
    public static WriteImages webp() {
        return of(ImageEncoding.webp());
    }

    /// Names files by a column of text: `cats/7` becomes `cats/7.jpg`, and the ending of another image format is
    /// replaced. Of an absolute path or an address only the last part counts. Names must differ.
    public WriteImages namedBy(String column) {
        Objects.requireNonNull(column, "namedBy: the column's name is null");
        return new WriteImages(encoding, column, files);
    }

    /// Replaces the images that are in the folder.
    public WriteImages overwrite() {
        return new WriteImages(encoding, nameColumn, files.overwrite());
    }

    /// Refuses a folder that has files.
    public WriteImages errorIfExists() {
        return new WriteImages(encoding, nameColumn, files.errorIfExists());
    }

    /// Leaves a folder that has files as it is.
    public WriteImages ignoreExisting() {
        return new WriteImages(encoding, nameColumn, files.ignoreExisting());
    }

    /// Names of your own for files that no column names.
    public WriteImages names(FileNames provider) {
        return new WriteImages(encoding, nameColumn, files.names(provider));
    }
}

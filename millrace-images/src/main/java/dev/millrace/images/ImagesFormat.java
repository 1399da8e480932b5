package dev.millrace.images;

import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.internal.images.codec.ImageFormat;
import dev.millrace.internal.images.codec.OpenCv;
import dev.millrace.internal.images.read.ImageFiles;
import dev.millrace.internal.images.write.ImageOutput;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteImages;
import dev.millrace.source.FormatProvider;
import dev.millrace.source.ReadImages;
import dev.millrace.source.Source;
import java.util.List;

/// The format `images`, as the session finds it.
public final class ImagesFormat implements FormatProvider {
    @Override
    public String name() {
        return "images";
    }

    @Override
    public List<String> extensions() {
        return ImageFormat.allEndings();
    }

    @Override
    public Source open(List<String> paths, Object options) {
        OpenCv.requirePresent();
        return switch (options) {
            case null -> open(paths, ReadImages.rgb());
            case ReadImages images -> FileSource.of(paths, new ImageFiles(images), images.files());
            default ->
                throw MillraceException.user("Images are read with options of " + ReadImages.class.getName()
                        + ", not of " + options.getClass().getName() + ".");
        };
    }

    @Override
    public FileFormat writing(Object options) {
        OpenCv.requirePresent();
        return switch (options) {
            case null -> new ImageOutput(WriteImages.png());
            case WriteImages images -> new ImageOutput(images);
            default ->
                throw MillraceException.user("Images are written with options of " + WriteImages.class.getName()
                        + ", not of " + options.getClass().getName() + ".");
        };
    }
}

package dev.millrace.internal.images;

import dev.millrace.files.FileSource;
import dev.millrace.images.options.ReadImages;
import dev.millrace.images.options.WriteImages;
import dev.millrace.internal.formats.CoreFormat;
import dev.millrace.internal.images.codec.ImageFormat;
import dev.millrace.internal.images.codec.OpenCv;
import dev.millrace.internal.images.read.ImageFiles;
import dev.millrace.internal.images.write.ImageOutput;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteFormatOptions;
import dev.millrace.source.Source;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The format `images`, which the session finds by its name.
public final class ImagesFormat extends CoreFormat<ReadImages> {
    public ImagesFormat() {
        super("images", ImageFormat.allEndings(), ReadImages.rgb(), ImagesFormat::source);
    }

    private static Source source(List<String> paths, ReadImages options) {
        OpenCv.requirePresent();
        return FileSource.of(paths, new ImageFiles(options), options.files());
    }

    @Override
    public FileFormat writing(@Nullable WriteFormatOptions options) {
        OpenCv.requirePresent();
        return new ImageOutput(require(options, WriteImages.png()));
    }
}

package dev.millrace.internal.webdataset;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.FeedReader;
import dev.millrace.internal.jsonfile.JsonTexts;
import java.io.IOException;

/// Passes the current member of [ArchiveSamples] to a JSON reader.
final class JsonMember {
    /// The maximum size of a member that is loaded into memory as a whole.
    private static final int MAX_BYTES = 256 << 20;

    private JsonMember() {}

    /// Reads the member as the next text, and consumes it.
    static void take(ArchiveSamples samples, String extension, JsonTexts texts) throws IOException {
        FeedReader in = samples.in();
        if (samples.size() > MAX_BYTES) {
            throw in.malformed("'" + samples.memberText() + "' has " + samples.size() + " bytes, and at most "
                    + MAX_BYTES + " of JSON are read. " + asText(extension));
        }
        in.require(samples.size(), "'" + samples.memberText() + "'");
        texts.take(in.window(), in.at(), (int) samples.size());
        in.advance(samples.size());
    }

    /// @param what the error of the member that was taken last
    static MillraceException wrong(ArchiveSamples samples, String extension, IllegalArgumentException what) {
        FeedReader in = samples.in();
        return in.malformed(
                in.position() - samples.size(),
                "'" + samples.memberText() + "' cannot be read as JSON: " + what.getMessage() + ". " + asText(extension)
                        + ", or give the fields that are wanted by type(\"" + extension + "\", DataType.struct(...))");
    }

    private static String asText(String extension) {
        return "Keep it as text: ReadWebDataset.defaults().type(\"" + extension + "\", DataType.UTF8)";
    }
}

package dev.millrace.internal.jsonfile;

import static dev.millrace.internal.json.JsonSyntaxException.MORE;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonSyntaxException;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadJson;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Schema inference from a sample of a file.
///
/// @param shape of the file; null to detect it
record JsonSample(ReadJson options, @Nullable JsonShape shape, FileRange file, ReadContext context) {
    /// The schema of all records in the sample, or of the valid ones if some are broken: the reader reports those.
    ///
    /// @throws MillraceException culprit DATA, if no record is valid or the types of two conflict
    Schema schema() throws IOException {
        try {
            return learn(false);
        } catch (MillraceException e) {
            if (e.culprit() != Culprit.DATA) {
                throw e;
            }
            Schema good = learn(true);
            if (good.size() == 0) {
                throw e;
            }
            return good;
        }
    }

    /// @param careful validates each record before learning from it, and skips broken ones
    private Schema learn(boolean careful) throws IOException {
        try (JsonRecords records = Objects.requireNonNull(
                JsonRecords.open(file, shape, options.maxRecordBytes(), context.allocator()),
                "a sample begins with its file")) {
            JsonTypeInference guess = JsonTypeInference.ofRecords(records::where);
            boolean more = true;
            while (more) {
                try {
                    more = learnNext(guess, records, careful);
                } catch (JsonSyntaxException e) {
                    if (!careful || e.isClash()) {
                        throw JsonErrors.of(e, records.where(e));
                    }
                    more = records.skipBroken();
                } catch (MillraceException e) {
                    if (!careful || e.culprit() != Culprit.DATA) {
                        throw e;
                    }
                    // The rest of the file cannot be read.
                    more = false;
                }
            }
            return schema(guess);
        }
    }

    private static Schema schema(JsonTypeInference guess) {
        try {
            return guess.schema();
        } catch (JsonSyntaxException e) {
            throw JsonErrors.of(e, e.where());
        }
    }

    /// False at the end of the sample.
    private boolean learnNext(JsonTypeInference guess, JsonRecords records, boolean careful) throws IOException {
        int at = records.next();
        if (at < 0 || records.place(at) >= options.sampleBytes()) {
            return false;
        }
        if (careful) {
            records.requireOneLine(record(JsonTypeInference.ofRecords(records::where), records, at));
            // Loading more of the file may have moved the record.
            at = records.recordAt();
        }
        records.passed(record(guess, records, at));
        return true;
    }

    private int record(JsonTypeInference guess, JsonRecords records, int from) throws IOException {
        int at = from;
        while (true) {
            try {
                return guess.record(records.cursor(), at, options.types().keySet());
            } catch (JsonSyntaxException e) {
                if (e != MORE || !records.more()) {
                    throw e;
                }
                at = records.recordAt();
            }
        }
    }
}

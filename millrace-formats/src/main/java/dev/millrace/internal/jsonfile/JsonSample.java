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

/// The columns that a sample of a file has.
///
/// @param shape of the file, or null: what it looks like
record JsonSample(ReadJson options, JsonShape shape, FileRange file, ReadContext context) {
    /// Of all its records, or where some are broken of the good ones: whoever reads the others says so then.
    ///
    /// @throws MillraceException culprit DATA, if no record is good or two do not go together
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

    /// @param careful looks at each record before it learns of it, and passes over broken ones
    private Schema learn(boolean careful) throws IOException {
        try (JsonRecords records = JsonRecords.open(file, shape, options.maxRecordBytes(), context.allocator())) {
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
                    // The file cannot be read on.
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
            // More of the file may have come, and moved it.
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

package dev.millrace.internal.sessionlog;

import dev.millrace.internal.json.JsonWriter;
import dev.millrace.internal.wording.SecretText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One thing that happened.
///
/// @param run its name; null: it concerns the session
/// @param event what it is, in few words that stay the same: "run started", "held back"
/// @param text for people; may have several lines
record LogEntry(
        Instant at, System.Logger.Level level, @Nullable String run, String event, String text) {
    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    LogEntry {
        text = SecretText.hide(text.stripTrailing());
    }

    /// The first line begins with time, level and run, the others with blanks.
    String text(boolean withTime) {
        String before = withTime ? String.format(Locale.ROOT, "%s %-7s ", TIME.format(at), level) : "";
        String subject = (run == null ? "" : run + ": ") + event;
        boolean one = text.indexOf('\n') < 0;
        return before + subject + (text.isEmpty() ? "" : one ? ": " + text : "\n    " + text.replace("\n", "\n    "));
    }

    String json() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("time", TIME.format(at));
        fields.put("level", level.name());
        fields.put("run", run);
        fields.put("event", event);
        fields.put("text", text);
        JsonWriter writer = new JsonWriter();
        writer.value(fields);
        return new String(writer.take(), StandardCharsets.UTF_8);
    }
}

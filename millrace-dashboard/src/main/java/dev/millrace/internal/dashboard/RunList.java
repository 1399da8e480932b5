package dev.millrace.internal.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The list of runs as JSON: those of now, then the kept ones, the newest first.
final class RunList {
    private RunList() {}

    static byte[] json(List<LiveRun> living, RunArchive archive) {
        StringBuilder json = new StringBuilder("[");
        Set<String> listed = new HashSet<>();
        for (LiveRun run : living.reversed()) {
            listed.add(run.id());
            json.append(json.length() == 1 ? "" : ",")
                    .append(new String(RunJson.bytes(run.summary()), StandardCharsets.UTF_8));
        }
        for (Map.Entry<String, String> kept : archive.summaries()) {
            if (listed.add(kept.getKey())) {
                json.append(json.length() == 1 ? "" : ",").append(kept.getValue());
            }
        }
        return json.append("]").toString().getBytes(StandardCharsets.UTF_8);
    }
}

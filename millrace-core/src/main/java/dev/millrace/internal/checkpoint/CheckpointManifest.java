package dev.millrace.internal.checkpoint;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.commit.WholeFiles;
import dev.millrace.sink.WriteJob;
import dev.millrace.source.SplitRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Identifies the job of a checkpoint, as it was at its first start: a readable text file.
///
/// @param plan lines as `explain()` shows them; the code of functions is not part of it
/// @param request for the source's splits; a resumed job uses the same, on whatever machine
/// @param files state and name of each file read
public record CheckpointManifest(
        WriteJob job,
        String target,
        List<String> plan,
        SplitRequest request,
        long splits,
        String fingerprint,
        List<String> files) {
    private static final String HEAD = "millrace checkpoint 1";
    private static final String NAME = "manifest";

    public static Optional<CheckpointManifest> read(Path folder) {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(Files.readAllLines(file)));
        } catch (IOException | RuntimeException e) {
            throw new MillraceException(
                    Culprit.DATA, "'" + file + "' is no manifest of a checkpoint that this version reads: " + e, e);
        }
    }

    private static CheckpointManifest parse(List<String> lines) {
        if (!lines.getFirst().equals(HEAD)) {
            throw new IllegalArgumentException("it begins with '" + lines.getFirst() + "'");
        }
        String[] request = one(lines, "request").split(" ", -1);
        return new CheckpointManifest(
                new WriteJob(one(lines, "job"), true),
                one(lines, "target"),
                all(lines, "plan"),
                new SplitRequest(
                        Integer.parseInt(request[0]),
                        Boolean.parseBoolean(request[1]),
                        Long.parseLong(request[2]),
                        Long.parseLong(request[3]),
                        request.length > 4 ? Long.parseLong(request[4]) : 0),
                Long.parseLong(one(lines, "splits")),
                one(lines, "fingerprint"),
                all(lines, "file"));
    }

    private static String one(List<String> lines, String key) {
        return all(lines, key).getFirst();
    }

    private static List<String> all(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key + " "))
                .map(line -> line.substring(key.length() + 1))
                .toList();
    }

    /// Written beside its place and renamed: it exists completely, or not at all.
    public void write(Path folder) {
        List<String> lines = new ArrayList<>(List.of(HEAD, "job " + job.id(), "target " + target));
        plan.forEach(line -> lines.add("plan " + line));
        lines.add("request " + request.parallelism() + " " + request.exact() + " " + request.minBytes() + " "
                + request.maxBytes() + " " + request.rows());
        lines.add("splits " + splits);
        lines.add("fingerprint " + fingerprint);
        files.forEach(file -> lines.add("file " + file));
        try {
            WholeFiles.write(folder.resolve(NAME), String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.RESOURCES, "The checkpoint '" + folder + "' could not be written: " + e, e);
        }
    }

    /// Refuses to resume with a different job, naming what differs.
    public void require(CheckpointManifest now, Path folder) {
        String difference = difference(now);
        if (difference != null) {
            throw MillraceException.user("The checkpoint '" + folder + "' belongs to another job: " + difference
                    + " Run the job it was made for, or delete the checkpoint (and what it wrote) to start over.");
        }
    }

    private @Nullable String difference(CheckpointManifest now) {
        if (!target.equals(now.target)) {
            return "it wrote to " + target + ", and now the target is " + now.target + ".";
        }
        if (!plan.equals(now.plan)) {
            return planDifference(now);
        }
        if (!files.equals(now.files)) {
            return fileDifference(now);
        }
        if (splits != now.splits || !fingerprint.equals(now.fingerprint)) {
            return "the source has changed. It gave " + splits + " splits, and now gives "
                    + (splits == now.splits ? "as many others." : now.splits + ".");
        }
        return null;
    }

    private String planDifference(CheckpointManifest now) {
        for (int i = 0; i < Math.max(plan.size(), now.plan.size()); i++) {
            String before = i < plan.size() ? plan.get(i).strip() : "nothing";
            String after = i < now.plan.size() ? now.plan.get(i).strip() : "nothing";
            if (!before.equals(after)) {
                return "the pipeline has changed. It had '" + before + "' where there now is '" + after + "'."
                        + (before.contains("Sample[") ? " Give randomSample a seed." : "");
            }
        }
        return "the pipeline has changed.";
    }

    private String fileDifference(CheckpointManifest now) {
        Set<String> before = new HashSet<>(files);
        for (String file : now.files) {
            if (!before.contains(file)) {
                String name = nameOf(file);
                boolean known = files.stream().anyMatch(old -> nameOf(old).equals(name));
                return "the source has changed. '" + name + "' "
                        + (known ? "was modified since." : "was not there before.");
            }
        }
        Set<String> after = new HashSet<>(now.files);
        String gone =
                files.stream().filter(file -> !after.contains(file)).findFirst().orElse("? ? order");
        return "the source has changed. '" + nameOf(gone) + "' is not read any more.";
    }

    private static String nameOf(String file) {
        return file.split(" ", 3)[2];
    }
}

package dev.millrace.internal.commit;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// What a commit is about to do to a folder, as a text file in the folder of temporaries. It is there as a whole or not
/// at all, and that it is there is the commit: who finds one and is alone (see [CommitLock]) does what it says.
///
/// ```
/// millrace commit 1
/// job     20261116-071500-123-0a1b2c
/// marked  true
/// new     20261116-.../ATTEMPT-0.arrow  part-20261116-...-000000-000000.arrow
/// old     part-20261115-...-000000-000000.arrow  20261116-.../old-0
/// end     1f3a77c0
/// ```
///
/// @param job the folder of the job's files in the folder of temporaries
/// @param undo the commit failed and is taken back
/// @param marked the folder had its success marker before
/// @param arriving new files, in the order of the rows
/// @param leaving files that an overwrite removes; those whose names new files take are among them
record CommitJournal(String job, boolean undo, boolean marked, List<Arriving> arriving, List<Leaving> leaving) {
    private static final String HEAD = "millrace commit 1";
    private static final String COMMIT = ".commit";
    private static final String UNDO = ".undo";

    /// @param from in the folder of temporaries
    /// @param to in the folder
    record Arriving(String from, String to) {}

    /// @param file in the folder
    /// @param aside where it lies until the commit has ended, in the folder of temporaries
    record Leaving(String file, String aside) {}

    /// The journals in a folder of temporaries: one that was interrupted, as a rule none.
    static List<Path> in(Path temporary) throws IOException {
        try (Stream<Path> entries = Files.list(temporary)) {
            return entries.filter(CommitJournal::isJournal).sorted().toList();
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        }
    }

    private static boolean isJournal(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".") && (name.endsWith(COMMIT) || name.endsWith(UNDO));
    }

    /// True if the job of this folder is being committed, or was when its process died.
    static boolean isOf(Path temporary, String job) {
        return Files.exists(temporary.resolve(job + COMMIT)) || Files.exists(temporary.resolve(job + UNDO));
    }

    private Path file(Path temporary) {
        return temporary.resolve(job + (undo ? UNDO : COMMIT));
    }

    /// When this returns the commit has happened, whatever comes.
    void write(Path temporary) throws IOException {
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        line(text, "job", job);
        line(text, "marked", Boolean.toString(marked));
        arriving.forEach(each -> line(text, "new", each.from, each.to));
        leaving.forEach(each -> line(text, "old", each.file, each.aside));
        line(text, "end", checksum(text.toString()));
        WholeFiles.write(file(temporary), text.toString());
    }

    private static void line(StringBuilder text, String... fields) {
        for (int i = 0; i < fields.length; i++) {
            text.append(i == 0 ? "" : "\t");
            text.append(fields[i].replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n"));
        }
        text.append('\n');
    }

    private static String checksum(String text) {
        CRC32 checksum = new CRC32();
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%08x", checksum.getValue());
    }

    /// The same, being taken back.
    CommitJournal undoing(Path temporary) throws IOException {
        if (undo) {
            return this;
        }
        CommitJournal undoing = new CommitJournal(job, true, marked, arriving, leaving);
        Files.move(file(temporary), undoing.file(temporary), StandardCopyOption.ATOMIC_MOVE);
        FolderTrees.force(temporary);
        return undoing;
    }

    /// The commit has ended.
    void delete(Path temporary) throws IOException {
        Files.deleteIfExists(file(temporary));
    }

    /// @throws MillraceException culprit DATA for something else, or a journal whose paths lead out of its folder: it
    ///     may come from anywhere
    static CommitJournal read(Path file) throws IOException {
        String text = Files.readString(file);
        try {
            int end = text.lastIndexOf("end\t");
            if (end < 0 || !text.substring(end).equals("end\t" + checksum(text.substring(0, end)) + "\n")) {
                throw new IllegalArgumentException("its end does not fit what is before it");
            }
            return parse(text.substring(0, end).split("\n"), file.getFileName().toString());
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new MillraceException(
                    Culprit.DATA,
                    "'" + file + "' is no journal of a commit that this version reads: " + e.getMessage()
                            + ". If it is not yours, delete it.",
                    e);
        }
    }

    private static CommitJournal parse(String[] lines, String name) {
        if (!lines[0].equals(HEAD)) {
            throw new IllegalArgumentException("it begins with '" + lines[0] + "'");
        }
        String job = null;
        boolean marked = false;
        List<Arriving> arriving = new ArrayList<>();
        List<Leaving> leaving = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            String[] fields = lines[i].split("\t", -1);
            switch (fields[0]) {
                case "job" -> job = below(fields[1]);
                case "marked" -> marked = Boolean.parseBoolean(fields[1]);
                case "new" -> arriving.add(new Arriving(below(fields[1]), below(fields[2])));
                case "old" -> leaving.add(new Leaving(below(fields[1]), below(fields[2])));
                default -> throw new IllegalArgumentException("it has a line '" + fields[0] + "'");
            }
        }
        if (job == null || !name.equals(job + COMMIT) && !name.equals(job + UNDO)) {
            throw new IllegalArgumentException("it is of the job '" + job + "'");
        }
        return new CommitJournal(job, name.endsWith(UNDO), marked, arriving, leaving);
    }

    private static String below(String field) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == '\\') {
                c = switch (field.charAt(++i)) {
                    case 't' -> '\t';
                    case 'n' -> '\n';
                    default -> '\\';
                };
            }
            text.append(c);
        }
        Path path;
        try {
            path = Path.of(text.toString());
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + text + "' is no path", e);
        }
        if (text.isEmpty()
                || path.isAbsolute()
                || path.getRoot() != null
                || !path.equals(path.normalize())
                || path.startsWith("..")) {
            throw new IllegalArgumentException("'" + text + "' leads out of the folder");
        }
        return text.toString();
    }
}

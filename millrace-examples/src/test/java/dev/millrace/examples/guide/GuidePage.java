package dev.millrace.examples.guide;

import dev.millrace.examples.guide.GuideSample.HiddenMembers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A page of Markdown. `docs/guide/README.md` says what its comments mean.
///
/// @param name its path below the project's root
record GuidePage(String name, Path file, List<String> lines) {
    private static final String HIDDEN = "<!-- hidden";
    private static final Pattern COMPILED_ONLY = Pattern.compile("<!-- compiled only: (.+) -->");
    private static final Pattern HEADING = Pattern.compile("(#+) (.+)");
    private static final String PRINTS = "<!-- prints -->";
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

    /// README.md and the pages below docs.
    static List<GuidePage> withSamples(Path root) throws IOException {
        List<GuidePage> pages = new ArrayList<>();
        pages.add(of(root, root.resolve("README.md")));
        try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                pages.add(of(root, file));
            }
        }
        return pages;
    }

    static GuidePage of(Path root, Path file) throws IOException {
        return new GuidePage(root.relativize(file).toString().replace('\\', '/'), file, Files.readAllLines(file));
    }

    /// The places that its relative links lead to.
    List<Path> links() {
        List<Path> targets = new ArrayList<>();
        boolean inCode = false;
        for (String line : lines) {
            if (line.startsWith("```")) {
                inCode = !inCode;
            }
            Matcher links = LINK.matcher(line);
            while (!inCode && links.find()) {
                if (!links.group(1).contains("://")) {
                    targets.add(file.resolveSibling(links.group(1)).normalize());
                }
            }
        }
        return targets;
    }

    List<GuideSample> samples() {
        List<GuideSample> samples = new ArrayList<>();
        List<HiddenMembers> hidden = new ArrayList<>();
        String compiledOnly = null;
        boolean prints = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher only = COMPILED_ONLY.matcher(line);
            if (only.matches()) {
                compiledOnly = only.group(1);
            } else if (line.equals(PRINTS)) {
                prints = true;
            } else if (line.equals(HIDDEN)) {
                int end = end(i, "-->");
                hidden.add(new HiddenMembers(i + 2, lines.subList(i + 1, end)));
                i = end;
            } else if (line.startsWith("```")) {
                int end = end(i, "```");
                List<String> text = lines.subList(i + 1, end);
                if (line.equals("```java")) {
                    samples.add(new GuideSample(name, i + 2, text, List.copyOf(hidden), compiledOnly, null));
                } else if (prints) {
                    GuideSample last = samples.removeLast();
                    samples.add(new GuideSample(
                            name,
                            last.line(),
                            last.code(),
                            last.hidden(),
                            last.compiledOnly(),
                            String.join("\n", text)));
                }
                compiledOnly = null;
                prints = false;
                i = end;
            } else if (!line.isBlank() && (prints || compiledOnly != null)) {
                throw new IllegalStateException(
                        name + ":" + (i + 1) + ": a comment about a block stands right before it");
            }
        }
        return samples;
    }

    /// The samples between a heading and the next one of its level or above.
    ///
    /// @param anchor the heading as links name it: lower case, words joined by `-`
    List<GuideSample> samplesBelow(String anchor) {
        int begin = -1;
        int end = lines.size();
        int level = 0;
        boolean inCode = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("```")) {
                inCode = !inCode;
            }
            Matcher heading = HEADING.matcher(line);
            if (inCode || !heading.matches()) {
                continue;
            }
            if (begin >= 0 && heading.group(1).length() <= level) {
                end = i;
                break;
            }
            if (begin < 0 && anchor(heading.group(2)).equals(anchor)) {
                begin = i;
                level = heading.group(1).length();
            }
        }
        if (begin < 0) {
            throw new IllegalStateException(name + " has no heading #" + anchor);
        }
        int first = begin;
        int last = end;
        return samples().stream()
                .filter(sample -> sample.line() > first && sample.line() <= last)
                .toList();
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-');
    }

    private int end(int begin, String mark) {
        for (int i = begin + 1; i < lines.size(); i++) {
            if (lines.get(i).equals(mark)) {
                return i;
            }
        }
        throw new IllegalStateException(name + ":" + (begin + 1) + ": nothing ends this");
    }
}

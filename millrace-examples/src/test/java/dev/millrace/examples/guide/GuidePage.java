package dev.millrace.examples.guide;

import dev.millrace.examples.guide.GuideSample.HiddenMembers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A page of Markdown. `docs/guide/README.md` says what its comments mean.
///
/// @param name its path below the project's root
record GuidePage(String name, Path file, List<String> lines) {
    private static final String HIDDEN = "<!-- hidden";
    private static final Pattern COMPILED_ONLY = Pattern.compile("<!-- compiled only: (.+) -->");
    private static final String PRINTS = "<!-- prints -->";
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

    /// README.md and the pages of the guide.
    static List<GuidePage> withSamples(Path root) throws IOException {
        List<GuidePage> pages = new ArrayList<>();
        pages.add(of(root, root.resolve("README.md")));
        try (Stream<Path> files = Files.walk(root.resolve("docs/guide"))) {
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

    private int end(int begin, String mark) {
        for (int i = begin + 1; i < lines.size(); i++) {
            if (lines.get(i).equals(mark)) {
                return i;
            }
        }
        throw new IllegalStateException(name + ":" + (begin + 1) + ": nothing ends this");
    }
}

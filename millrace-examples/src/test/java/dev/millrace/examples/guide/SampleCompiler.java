package dev.millrace.examples.guide;

import dev.millrace.Session;
import dev.millrace.examples.guide.GuideSample.HiddenMembers;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Makes classes of samples, all in one run of javac.
final class SampleCompiler {
    /// Of samples that are no programs; outside of Millrace's own packages, as users' programs are.
    static final String PACKAGE = "guide";

    private static final Pattern DECLARED = Pattern.compile("Dataset (\\w+) =.*");

    private SampleCompiler() {}

    /// @return what javac complains of, each with page and line
    static List<String> compile(List<GuideSample> samples, Path classes) throws IOException {
        String imports = imports();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<SourceText> sources = samples.stream()
                .map(sample -> new SourceText(sample, source(sample, imports)))
                .toList();
        ToolProvider.getSystemJavaCompiler()
                .getTask(
                        null,
                        null,
                        found,
                        List.of(
                                "-d",
                                classes.toString(),
                                "-cp",
                                classPath(),
                                "-proc:none",
                                "-parameters",
                                "-g",
                                "-Xlint:none"),
                        null,
                        sources)
                .call();
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(SampleCompiler::words)
                .toList();
    }

    /// What samples name: Millrace's own. javac opens every jar, and the tests may open few files.
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.endsWith(".jar")
                        || Path.of(entry).getFileName().toString().startsWith("millrace"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String words(Diagnostic<? extends JavaFileObject> diagnostic) {
        String place = diagnostic.getSource() instanceof SourceText text
                ? text.sample.page() + ":" + diagnostic.getLineNumber()
                : "samples";
        return place + ": " + diagnostic.getMessage(null);
    }

    /// A class whose lines are those of the page: what it adds stands on the page's first line and on the lines of the
    /// fences.
    private static String source(GuideSample sample, String imports) {
        if (sample.isProgram()) {
            return "\n".repeat(sample.line() - 1) + String.join("\n", sample.code());
        }
        StringBuilder text = new StringBuilder("package " + PACKAGE + "; " + imports + "public final class "
                + sample.className() + " extends " + SampleBase.class.getName() + " {");
        int line = 1;
        for (HiddenMembers members : sample.hidden()) {
            line = append(text, line, members.line(), members.code());
        }
        text.append("\n".repeat(sample.line() - 1 - line)).append("public static void run() throws Exception {");
        append(text, sample.line() - 1, sample.line(), sample.code());
        text.append('\n');
        for (String code : sample.code()) {
            Matcher declared = DECLARED.matcher(code);
            if (declared.matches()) {
                text.append("runToTheEnd(").append(declared.group(1)).append("); ");
            }
        }
        return text.append("} }").toString();
    }

    private static int append(StringBuilder text, int line, int at, List<String> code) {
        text.append("\n".repeat(at - line)).append(String.join("\n", code));
        return at + code.size() - 1;
    }

    /// Every public package of Millrace on the class path and the usual ones of Java, on one line.
    private static String imports() throws IOException {
        Set<String> packages = new TreeSet<>(Set.of(
                "java.nio",
                "java.nio.file",
                "java.time",
                "java.util",
                "java.util.concurrent",
                "java.util.concurrent.atomic",
                "java.util.function",
                "java.util.stream"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                collect(path, packages);
            } else if (Files.isRegularFile(path)
                    && path.getFileName().toString().startsWith("millrace")) {
                try (FileSystem jar = FileSystems.newFileSystem(path)) {
                    collect(jar.getPath("/"), packages);
                }
            }
        }
        packages.remove(SampleCompiler.class.getPackageName());
        String onDemand =
                packages.stream().map(name -> "import " + name + ".*; ").collect(Collectors.joining());
        return onDemand + "import dev.millrace.runtime.Runtime; import " + GuideData.class.getName() + "; "
                + "import static dev.millrace.expression.Expressions.*; "
                + "import static dev.millrace.aggregate.Aggregates.*; "
                + "import static dev.millrace.window.WindowFunctions.*; ";
    }

    private static void collect(Path root, Set<String> packages) throws IOException {
        Path ours = root.resolve(Session.class.getPackageName().replace('.', '/'));
        if (!Files.isDirectory(ours)) {
            return;
        }
        try (Stream<Path> files = Files.walk(ours)) {
            files.filter(file -> file.toString().endsWith(".class"))
                    .map(file -> root.relativize(file.getParent()).toString().replaceAll("[/\\\\]", "."))
                    .filter(name -> !name.contains(".internal"))
                    .forEach(packages::add);
        }
    }

    private static final class SourceText extends SimpleJavaFileObject {
        private final GuideSample sample;
        private final String text;

        SourceText(GuideSample sample, String text) {
            super(URI.create("string:///" + sample.binaryName().replace('.', '/') + ".java"), Kind.SOURCE);
            this.sample = sample;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}

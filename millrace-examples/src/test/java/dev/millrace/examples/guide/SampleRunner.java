package dev.millrace.examples.guide;

import dev.millrace.Session;
import dev.millrace.settings.ProgressSettings;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/// The process that runs samples, one after the other, in a folder with the files that they read.
final class SampleRunner {
    private SampleRunner() {}

    /// @param args the folder of the samples' classes, the file for the results, then the classes
    public static void main(String[] args) throws Exception {
        GuideData.make();
        ArrayList<SampleResult> results = new ArrayList<>();
        try (ModelEndpoint server = new ModelEndpoint();
                URLClassLoader classes =
                        new URLClassLoader(new URL[] {Path.of(args[0]).toUri().toURL()})) {
            System.setProperty("guide.server", server.address());
            for (int i = 2; i < args.length; i++) {
                results.add(run(classes, args[i]));
            }
        }
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(Path.of(args[1])))) {
            out.writeObject(results);
        }
    }

    private static SampleResult run(ClassLoader classes, String name) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        String failure = null;
        long start = System.nanoTime();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            call(classes, name);
        } catch (InvocationTargetException e) {
            failure = stack(e.getCause());
        } catch (Throwable e) {
            failure = stack(e);
        } finally {
            System.setOut(before);
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        return new SampleResult(name, printed.toString(StandardCharsets.UTF_8), failure, millis);
    }

    private static void call(ClassLoader classes, String name) throws Exception {
        if (name.startsWith(SampleCompiler.PACKAGE + ".")) {
            try (Session session =
                    Session.builder().progress(ProgressSettings.OFF).open()) {
                SampleBase.use(session);
                Class.forName(name, true, classes).getMethod("run").invoke(null);
            }
            return;
        }
        Class<?> program = Class.forName(name, true, classes);
        Constructor<?> make = program.getDeclaredConstructor();
        make.setAccessible(true);
        Method main = program.getDeclaredMethod("main");
        main.setAccessible(true);
        main.invoke(make.newInstance());
    }

    private static String stack(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}

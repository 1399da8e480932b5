package dev.millrace.internal.planfile;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.commit.WholeFiles;
import dev.millrace.internal.plan.ExplainText;
import dev.millrace.internal.serial.FilteredInput;
import dev.millrace.internal.serial.SerialRule;
import dev.millrace.internal.storage.LocalStorage;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.internal.thread.DeepStack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;

/// The format: lines of text (the format's name with its version, the plan as `explain()` shows it), an empty line, a
/// checksum of eight hexadecimal digits and a line end, then the plan as an object stream.
public final class PlanFile {
    private static final String HEAD = "millrace plan ";
    private static final String VERSION = "1";
    /// Far above any plan, so that a wrong file is not read into memory.
    private static final long MAX_BYTES = 1L << 30;

    private static final int CHECKSUM_DIGITS = 8;
    /// Values of the JDK that plans have.
    private static final List<String> VALUES =
            List.of("dev.millrace.", "java.lang.", "java.util.", "java.math.", "java.time.", "java.net.URI");

    private PlanFile() {}

    /// Writes the file, complete or not at all.
    ///
    /// @throws MillraceException culprit USER, for a part that cannot be saved, with its name
    public static void write(String path, SavedPlan saved) {
        Path file = local("savePlan", path);
        byte[] bytes = DeepStack.onOwnThread(() -> encode(saved));
        try {
            WholeFiles.write(file, unnamed -> Files.write(unnamed, bytes));
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, "savePlan: '" + file + "' cannot be written: " + e, e);
        }
    }

    private static byte[] encode(SavedPlan saved) {
        PlanParts.requireSavable(saved.plan());
        try {
            byte[] plan = PlanOutput.encode(saved);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            // Constants may have empty lines in them.
            String explained = ExplainText.logical(saved.plan()).strip().replaceAll("\n{2,}", "\n");
            String text = HEAD + VERSION + "\n" + explained + "\n\n" + checksum(plan) + "\n";
            bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            bytes.writeBytes(plan);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.USER,
                    "savePlan: a part of the plan cannot be written: " + e
                            + ". Options, constants and sources must be serialisable with all they hold.",
                    e);
        }
    }

    private static String checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    /// @param allowed names of classes, or of packages with a dot at the end, that functions of the plan may have
    ///     beside Millrace's own and values of the JDK
    /// @throws MillraceException culprit USER for a file that is not there or has other classes, DATA for one that is
    ///     no plan or damaged
    public static SavedPlan read(String path, List<String> allowed) {
        Path file = local("loadPlan", path);
        byte[] bytes = bytes(file);
        int end = planBegin(bytes);
        String first = new String(bytes, 0, firstLine(bytes), StandardCharsets.UTF_8);
        if (!first.startsWith(HEAD)) {
            throw MillraceException.data("'" + file + "' is no saved plan.");
        }
        if (!first.equals(HEAD + VERSION)) {
            throw MillraceException.user("'" + file + "' is a plan of format " + first.substring(HEAD.length())
                    + ", and this version of Millrace reads format " + VERSION + ".");
        }
        if (end < 0) {
            throw MillraceException.data("The saved plan '" + file + "' is cut off.");
        }
        byte[] plan = Arrays.copyOfRange(bytes, end, bytes.length);
        String written = new String(bytes, end - CHECKSUM_DIGITS - 1, CHECKSUM_DIGITS, StandardCharsets.US_ASCII);
        if (!written.equals(checksum(plan))) {
            throw MillraceException.data("The saved plan '" + file + "' is damaged: its checksum is another one.");
        }
        return DeepStack.onOwnThread(() -> decode(file, plan, allowed));
    }

    private static Path local(String verb, String path) {
        if (StorageRegistry.scheme(path)
                .filter(scheme -> !scheme.equals("file"))
                .isPresent()) {
            throw MillraceException.user(verb + ": a plan is a file of this machine, and '" + path + "' is none.");
        }
        return LocalStorage.path(path).toAbsolutePath();
    }

    private static byte[] bytes(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw MillraceException.data("'" + file + "' is no saved plan: it has " + Files.size(file) + " bytes.");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new MillraceException(Culprit.USER, "loadPlan: there is no file '" + file + "'.", e);
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, "loadPlan: '" + file + "' cannot be read: " + e, e);
        }
    }

    private static int firstLine(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n' && end < HEAD.length() + CHECKSUM_DIGITS) {
            end++;
        }
        return end;
    }

    /// Where the object stream begins; -1 if the file ends before.
    private static int planBegin(byte[] bytes) {
        for (int i = 0; i + 2 + CHECKSUM_DIGITS < bytes.length; i++) {
            if (bytes[i] == '\n' && bytes[i + 1] == '\n') {
                return i + 2 + CHECKSUM_DIGITS + 1;
            }
        }
        return -1;
    }

    private static SavedPlan decode(Path file, byte[] plan, List<String> allowed) {
        List<String> names = new ArrayList<>(VALUES);
        names.addAll(allowed);
        AtomicReference<String> refused = new AtomicReference<>();
        SerialRule rule = SerialRule.only(names.toArray(String[]::new))
                .telling(type -> refused.compareAndSet(null, type.getName()));
        try {
            return (SavedPlan) FilteredInput.read(plan, Thread.currentThread().getContextClassLoader(), rule);
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
            if (refused.get() != null) {
                throw new MillraceException(
                        Culprit.USER,
                        "loadPlan: the plan '" + file + "' has objects of the class " + refused.get()
                                + ", which are code that it would run. If the file is from whom you trust, allow them: "
                                + "loadPlan(file, \"" + packageOf(refused.get()) + "\").",
                        e);
            }
            throw new MillraceException(
                    Culprit.USER,
                    "loadPlan: the plan '" + file + "' cannot be read: " + e
                            + ". It needs the classes of the program that saved it, and the same version of them.",
                    e);
        }
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.') + 1);
    }
}

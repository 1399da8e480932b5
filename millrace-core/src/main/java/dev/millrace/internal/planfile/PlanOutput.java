package dev.millrace.internal.planfile;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.serial.Confidential;
import dev.millrace.internal.wording.SecretText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.Optional;

/// The object stream of a plan: sees every object that is written, and refuses credentials.
final class PlanOutput extends ObjectOutputStream {
    private PlanOutput(OutputStream out) throws IOException {
        super(out);
        enableReplaceObject(true);
    }

    static byte[] encode(Object plan) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
        try (PlanOutput out = new PlanOutput(bytes)) {
            out.writeObject(plan);
        }
        return bytes.toByteArray();
    }

    @Override
    protected Object replaceObject(Object written) {
        switch (written) {
            case Optional<?> optional -> {
                return new SavedOptional(optional.orElse(null));
            }
            case String text -> requireNoSecret(text);
            case Confidential confidential ->
                confidential.confidence().ifPresent(why -> {
                    throw MillraceException.user("savePlan: " + why);
                });
            default -> {}
        }
        return written;
    }

    private static void requireNoSecret(String text) {
        String shown = SecretText.hide(text);
        if (!shown.equals(text)) {
            throw MillraceException.user("savePlan: the plan has a text with a password or key in it, " + shown
                    + ", and credentials are written to no file. Let the machine that reads have them: a profile, its"
                    + " environment, or a variable that the program reads.");
        }
    }
}

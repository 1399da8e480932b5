package dev.millrace.internal.python;

/// What Python code threw: its sentence, and the lines of its traceback.
final class PythonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PythonException(String text) {
        super(text, null, false, false);
    }
}

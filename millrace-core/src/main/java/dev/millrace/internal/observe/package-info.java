/// What others see of a session while it works: the engine fills these values on request, on its loop thread, and an
/// observer (the dashboard, found by the service loader) samples them. Nothing here decides anything.
@NullMarked
package dev.millrace.internal.observe;

import org.jspecify.annotations.NullMarked;

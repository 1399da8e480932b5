/// Accounted memory for internal loops: arrays on the Java heap that are charged to an account.
@NullMarked
package dev.millrace.internal.memory;

import org.jspecify.annotations.NullMarked;

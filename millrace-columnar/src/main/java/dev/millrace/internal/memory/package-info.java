/// Counted memory for the library's own loops: arrays on the Java heap that an account pays for.
package dev.millrace.internal.memory;

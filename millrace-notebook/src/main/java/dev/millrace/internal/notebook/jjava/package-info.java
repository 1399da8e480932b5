/// What the kernel JJava finds by its service loader. Only this package knows the kernel.
@NullMarked
package dev.millrace.internal.notebook.jjava;

import org.jspecify.annotations.NullMarked;

/// Java values to what columns store and back.
@NullMarked
package dev.millrace.internal.value;

import org.jspecify.annotations.NullMarked;

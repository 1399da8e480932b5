/// Example pipelines to run, read and copy. They use the public API only.
@NullMarked
package dev.millrace.examples;

import org.jspecify.annotations.NullMarked;

/// How a transform is to run: tasks or a pool of actors, how many, with which resources. Plain values.
@NullMarked
package dev.millrace.compute;

import org.jspecify.annotations.NullMarked;

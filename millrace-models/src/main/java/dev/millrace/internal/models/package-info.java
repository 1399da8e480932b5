/// Code shared by all kinds of models.
@NullMarked
package dev.millrace.internal.models;

import org.jspecify.annotations.NullMarked;

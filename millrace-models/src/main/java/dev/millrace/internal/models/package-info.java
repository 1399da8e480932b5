/// What models of all kinds share.
@NullMarked
package dev.millrace.internal.models;

import org.jspecify.annotations.NullMarked;

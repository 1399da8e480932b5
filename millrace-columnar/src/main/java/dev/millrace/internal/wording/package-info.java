/// Text fragments of messages that several packages share. Does not depend on any of them.
@NullMarked
package dev.millrace.internal.wording;

import org.jspecify.annotations.NullMarked;

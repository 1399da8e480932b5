/// Text to the numbers that language models take. Texts enter as UTF-8, token ids leave; nothing here knows of batches
/// or models.
@NullMarked
package dev.millrace.internal.models.text;

import org.jspecify.annotations.NullMarked;

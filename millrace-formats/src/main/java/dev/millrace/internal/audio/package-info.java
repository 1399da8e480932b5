/// Audio files to tensors of amplitudes. WAV is decoded here; other formats need a decoder that is no part of this
/// module.
@NullMarked
package dev.millrace.internal.audio;

import org.jspecify.annotations.NullMarked;

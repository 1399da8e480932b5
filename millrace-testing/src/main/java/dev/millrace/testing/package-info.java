/// For those who test pipelines, their own or ours: a runtime on a bad day. Datasets over it must say what they always
/// say.
@NullMarked
package dev.millrace.testing;

import org.jspecify.annotations.NullMarked;

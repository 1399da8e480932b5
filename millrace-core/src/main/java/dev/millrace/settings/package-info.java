/// How a session and its datasets run: one immutable value per concern, captured when a dataset is created. A test pins
/// the defaults.
@NullMarked
package dev.millrace.settings;

import org.jspecify.annotations.NullMarked;

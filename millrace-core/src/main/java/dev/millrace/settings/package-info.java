/// How a session runs: one immutable value per concern, captured when a dataset is made. The defaults are pinned by a
/// test.
package dev.millrace.settings;

/// How a session runs: one immutable value per concern, captured when a dataset is created. A test pins the defaults.
package dev.millrace.settings;

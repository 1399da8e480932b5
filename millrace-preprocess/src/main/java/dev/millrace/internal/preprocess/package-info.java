/// What fitted preprocessors are made of: functions of columns for expressions, the one pass that fits several of them,
/// and their form as JSON. No preprocessor's own rules come here.
package dev.millrace.internal.preprocess;

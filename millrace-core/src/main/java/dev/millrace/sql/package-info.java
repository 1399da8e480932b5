/// The seam to SQL: what a session asks of the module that knows the language. Queries come in as text with the
/// datasets
/// they name, and leave as datasets made of their verbs. No parser comes here.
package dev.millrace.sql;

/// What models of all kinds share.
package dev.millrace.internal.models;

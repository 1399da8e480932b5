/// How long what a user's function is handed may be used, and whether every use is checked; what its holders release.
package dev.millrace.internal.lifetime;

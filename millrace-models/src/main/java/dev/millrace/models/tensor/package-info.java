/// What a model takes and gives, as its file declares it.
package dev.millrace.models.tensor;

package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/// Many columns of numbers, such as counts of tokens, as one vector of a chosen width: the hash of a column's name
/// (SHA-256, as Ray Data's) says where its number is added. Numbers that are missing make their place NaN. The columns
/// stay.
///
/// @param features the width of the vector
public record FeatureHasher(List<String> columns, int features, String output) implements ColumnPreprocessor {
    private static final String NAME = "FeatureHasher";

    public FeatureHasher {
        columns = List.copyOf(columns);
        if (features < 1) {
            throw MillraceException.user(NAME + ": the vector needs 1 element or more, not " + features + ".");
        }
    }

    /// Adds numbers of columns up in a vector of so many places.
    public static FeatureHasher of(int features, String output, String... columns) {
        return new FeatureHasher(PreprocessorChecks.columns(NAME, columns), features, output);
    }

    @Override
    public List<String> outputs() {
        return List.of(output);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireNumbers(NAME, schema, columns);
        return List.of();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        List<Integer> places = columns.stream().map(this::place).toList();
        return List.of(new Step.Combine(columns, output, DataType.FLOAT64, places, features, false));
    }

    private int place(String column) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(column.getBytes(StandardCharsets.UTF_8));
            return new BigInteger(1, hash).mod(BigInteger.valueOf(features)).intValue();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

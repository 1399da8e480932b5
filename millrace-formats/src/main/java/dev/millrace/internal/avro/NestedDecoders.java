package dev.millrace.internal.avro;

import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.ListBuilder;
import dev.millrace.column.MapBuilder;
import dev.millrace.column.StructBuilder;

/// Decoders of nested types.
final class NestedDecoders {
    private NestedDecoders() {}

    static final class Arrays extends ValueDecoder {
        private final ValueDecoder items;

        Arrays(ValueDecoder items) {
            super(1);
            this.items = items;
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            ListBuilder builder = (ListBuilder) column;
            BoundDecoder elements = items.into(builder.elements());
            int least = items.least;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    for (long count = in.readCount(least); count > 0; count = in.readCount(least)) {
                        for (long i = 0; i < count; i++) {
                            elements.read(in);
                        }
                    }
                    builder.endValue();
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            for (long count = in.readCount(items.least); count > 0; count = in.readCount(items.least)) {
                for (long i = 0; i < count; i++) {
                    items.skip(in);
                }
            }
        }
    }

    static final class Maps extends ValueDecoder {
        private final ValueDecoder keys = new ByteDecoders.Bytes(true);
        private final ValueDecoder values;

        Maps(ValueDecoder values) {
            super(1);
            this.values = values;
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            MapBuilder builder = (MapBuilder) column;
            BoundDecoder ofKeys = keys.into(builder.keys());
            BoundDecoder ofValues = values.into(builder.items());
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    for (long count = in.readCount(1); count > 0; count = in.readCount(1)) {
                        for (long i = 0; i < count; i++) {
                            ofKeys.read(in);
                            ofValues.read(in);
                        }
                    }
                    builder.endValue();
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            for (long count = in.readCount(1); count > 0; count = in.readCount(1)) {
                for (long i = 0; i < count; i++) {
                    keys.skip(in);
                    values.skip(in);
                }
            }
        }
    }

    static final class Records extends ValueDecoder {
        private final ValueDecoder[] members;

        Records(ValueDecoder[] members) {
            super(java.util.Arrays.stream(members)
                    .mapToInt(member -> member.least)
                    .reduce(0, Records::add));
            this.members = members;
        }

        private static int add(int a, int b) {
            return (int) Math.min((long) a + b, Integer.MAX_VALUE);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            StructBuilder builder = (StructBuilder) column;
            BoundDecoder[] fields = new BoundDecoder[members.length];
            for (int i = 0; i < members.length; i++) {
                fields[i] = members[i].into(builder.child(i));
            }
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    for (BoundDecoder field : fields) {
                        field.read(in);
                    }
                    builder.endValue();
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            for (ValueDecoder member : members) {
                member.skip(in);
            }
        }
    }

    /// A union: which of its branches a value has precedes the value.
    abstract static class Alternatives extends ValueDecoder {
        final ValueDecoder[] branches;

        Alternatives(ValueDecoder[] branches) {
            super(1);
            this.branches = branches;
        }

        final boolean isNull(int branch) {
            return branches[branch] instanceof NumberDecoders.Nulls;
        }

        @Override
        final void skip(AvroInput in) {
            branches[branch(in, branches.length)].skip(in);
        }
    }

    private static int branch(AvroInput in, int count) {
        long index = in.readLong();
        if (index < 0 || index >= count) {
            throw in.malformed("there is no branch " + index + " in a union of " + count);
        }
        return (int) index;
    }

    /// A union whose branches are decoded into one column.
    static final class Branches extends Alternatives {
        Branches(ValueDecoder[] branches) {
            super(branches);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            BoundDecoder[] bound = new BoundDecoder[branches.length];
            boolean[] nulls = new boolean[branches.length];
            for (int i = 0; i < bound.length; i++) {
                bound[i] = branches[i].into(column);
                nulls[i] = isNull(i);
            }
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    int chosen = branch(in, bound.length);
                    if (nulls[chosen]) {
                        column.appendNull();
                    } else {
                        bound[chosen].read(in);
                    }
                }
            };
        }
    }

    /// A union of several types: a struct with a field for each but null.
    static final class Members extends Alternatives {
        Members(ValueDecoder[] branches) {
            super(branches);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            StructBuilder builder = (StructBuilder) column;
            BoundDecoder[] bound = new BoundDecoder[branches.length];
            // The field of each branch; -1 for null, which the whole struct is then.
            int[] fields = new int[branches.length];
            int count = 0;
            for (int i = 0; i < bound.length; i++) {
                fields[i] = isNull(i) ? -1 : count++;
                bound[i] = branches[i].into(fields[i] < 0 ? builder : builder.child(fields[i]));
            }
            int size = count;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    int chosen = branch(in, bound.length);
                    bound[chosen].read(in);
                    if (fields[chosen] >= 0) {
                        for (int field = 0; field < size; field++) {
                            if (field != fields[chosen]) {
                                builder.child(field).appendNull();
                            }
                        }
                        builder.endValue();
                    }
                }
            };
        }
    }
}

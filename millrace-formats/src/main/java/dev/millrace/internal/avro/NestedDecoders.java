package dev.millrace.internal.avro;

import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.ListBuilder;
import dev.millrace.column.MapBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.StructBuilder;

/// Decoders of nested types.
final class NestedDecoders {
    private NestedDecoders() {}

    static final class Arrays extends ValueDecoder {
        private final ValueDecoder items;
        private ListBuilder builder;

        Arrays(ValueDecoder items) {
            super(1);
            this.items = items;
        }

        @Override
        void into(ColumnBuilder next) {
            builder = (ListBuilder) next;
            items.into(builder.elements());
        }

        @Override
        void read(AvroInput in) {
            for (long count = in.readCount(items.least); count > 0; count = in.readCount(items.least)) {
                for (long i = 0; i < count; i++) {
                    items.read(in);
                }
            }
            builder.endValue();
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
        private MapBuilder builder;

        Maps(ValueDecoder values) {
            super(1);
            this.values = values;
        }

        @Override
        void into(ColumnBuilder next) {
            builder = (MapBuilder) next;
            keys.into((StringColumnBuilder) builder.keys());
            values.into(builder.items());
        }

        @Override
        void read(AvroInput in) {
            for (long count = in.readCount(1); count > 0; count = in.readCount(1)) {
                for (long i = 0; i < count; i++) {
                    keys.read(in);
                    values.read(in);
                }
            }
            builder.endValue();
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
        private StructBuilder builder;

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
        void into(ColumnBuilder next) {
            builder = (StructBuilder) next;
            for (int i = 0; i < members.length; i++) {
                members[i].into(builder.child(i));
            }
        }

        @Override
        void read(AvroInput in) {
            for (ValueDecoder member : members) {
                member.read(in);
            }
            builder.endValue();
        }

        @Override
        void skip(AvroInput in) {
            for (ValueDecoder member : members) {
                member.skip(in);
            }
        }
    }

    /// A union whose branches are decoded into one column; the decoder of the null branch is null.
    static final class Branches extends ValueDecoder {
        private final ValueDecoder[] branches;
        private ColumnBuilder builder;

        Branches(ValueDecoder[] branches) {
            super(1);
            this.branches = branches;
        }

        @Override
        void into(ColumnBuilder next) {
            builder = next;
            for (ValueDecoder branch : branches) {
                if (branch != null) {
                    branch.into(next);
                }
            }
        }

        @Override
        void read(AvroInput in) {
            ValueDecoder branch = branches[branch(in, branches.length)];
            if (branch == null) {
                builder.appendNull();
            } else {
                branch.read(in);
            }
        }

        @Override
        void skip(AvroInput in) {
            ValueDecoder branch = branches[branch(in, branches.length)];
            if (branch != null) {
                branch.skip(in);
            }
        }
    }

    private static int branch(AvroInput in, int count) {
        long index = in.readLong();
        if (index < 0 || index >= count) {
            throw in.malformed("there is no branch " + index + " in a union of " + count);
        }
        return (int) index;
    }

    /// A union of several types: a struct with a field for each.
    static final class Members extends ValueDecoder {
        private final ValueDecoder[] branches;
        private StructBuilder builder;

        Members(ValueDecoder[] branches) {
            super(1);
            this.branches = branches;
        }

        @Override
        void into(ColumnBuilder next) {
            builder = (StructBuilder) next;
            int field = 0;
            for (ValueDecoder branch : branches) {
                if (branch != null) {
                    branch.into(builder.child(field++));
                }
            }
        }

        @Override
        void read(AvroInput in) {
            int chosen = branch(in, branches.length);
            if (branches[chosen] == null) {
                builder.appendNull();
                return;
            }
            int field = 0;
            for (int i = 0; i < branches.length; i++) {
                if (i == chosen) {
                    branches[i].read(in);
                    field++;
                } else if (branches[i] != null) {
                    builder.child(field++).appendNull();
                }
            }
            builder.endValue();
        }

        @Override
        void skip(AvroInput in) {
            ValueDecoder branch = branches[branch(in, branches.length)];
            if (branch != null) {
                branch.skip(in);
            }
        }
    }
}

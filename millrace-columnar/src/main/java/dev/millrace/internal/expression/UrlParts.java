package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.column.StructBuilder;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The parts of URLs as a struct, by the expression of RFC 3986, appendix B.
final class UrlParts extends ExpressionNode {
    static final DataType.Struct TYPE = DataType.struct(
            new Field("scheme", DataType.UTF8),
            new Field("user", DataType.UTF8),
            new Field("password", DataType.UTF8),
            new Field("host", DataType.UTF8),
            new Field("port", DataType.INT32),
            new Field("path", DataType.UTF8),
            new Field("query", DataType.UTF8),
            new Field("fragment", DataType.UTF8));

    private static final Pattern URL = Pattern.compile(
            "(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?", Pattern.DOTALL);

    private final ExpressionNode input;
    private final Matcher matcher = URL.matcher("");

    UrlParts(ExpressionNode input) {
        super(TYPE);
        this.input = input;
    }

    @Override
    Column column(EvaluationRows rows) {
        try (HeldColumn held = input.values(rows);
                StructBuilder builder = new StructBuilder(rows.allocator(), TYPE, rows.count())) {
            VariableWidthColumn texts = (VariableWidthColumn) held.column();
            for (long row = 0; row < rows.count(); row++) {
                if (texts.isNull(row)) {
                    builder.appendNull();
                } else {
                    append(TextKernels.text(texts, row), builder);
                }
            }
            return builder.build();
        }
    }

    private void append(String url, StructBuilder out) {
        // The expression matches every text.
        boolean _ = matcher.reset(url).matches();
        out.child(0).append(lower(matcher.group(1)));
        authority(matcher.group(2), out);
        out.child(5).append(matcher.group(3));
        out.child(6).append(matcher.group(4));
        out.child(7).append(matcher.group(5));
        out.endValue();
    }

    /// `user:password@host:port`, or null.
    private static void authority(@Nullable String text, StructBuilder out) {
        String user = null;
        String password = null;
        String place = text;
        if (text != null && text.indexOf('@') >= 0) {
            int at = text.lastIndexOf('@');
            int colon = text.indexOf(':');
            boolean both = colon >= 0 && colon < at;
            user = text.substring(0, both ? colon : at);
            password = both ? text.substring(colon + 1, at) : null;
            place = text.substring(at + 1);
        }
        String host = place;
        Integer port = null;
        if (place != null) {
            // An address of IPv6 is in brackets and contains colons.
            int colon = place.indexOf(':', Math.max(0, place.indexOf(']')));
            String name = colon < 0 ? place : place.substring(0, colon);
            boolean bracketed = name.startsWith("[") && name.endsWith("]");
            host = bracketed ? name.substring(1, name.length() - 1) : name;
            port = colon < 0 ? null : port(place.substring(colon + 1));
        }
        out.child(1).append(user);
        out.child(2).append(password);
        out.child(3).append(host == null || host.isEmpty() ? null : lower(host));
        out.child(4).append(port);
    }

    private static @Nullable Integer port(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int port = digits ? Integer.parseInt(text) : -1;
        return port < 0 || port > 65_535 ? null : port;
    }

    private static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }
}

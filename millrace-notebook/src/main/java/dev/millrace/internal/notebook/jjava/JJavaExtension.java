package dev.millrace.internal.notebook.jjava;

import dev.millrace.Dataset;
import dev.millrace.notebook.Notebook;
import dev.millrace.stats.RunStats;
import dev.millrace.type.Schema;
import org.dflib.jjava.jupyter.Extension;
import org.dflib.jjava.jupyter.kernel.BaseKernel;
import org.dflib.jjava.jupyter.kernel.display.RenderContext;
import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;

/// Tells the kernel JJava how values show, and what `%%sql` does; found by its service loader.
public final class JJavaExtension implements Extension {
    @Override
    public void install(BaseKernel kernel) {
        register(kernel, Dataset.class);
        register(kernel, Schema.class);
        register(kernel, RunStats.class);
        kernel.getMagicsRegistry().registerCellMagic("sql", (_, _, body) -> Notebook.sql(body));
    }

    private static <T> void register(BaseKernel kernel, Class<T> type) {
        kernel.getRenderer()
                .createRegistration(type)
                .preferring(MIMEType.TEXT_HTML)
                .supporting(MIMEType.TEXT_PLAIN)
                .register(JJavaExtension::render);
    }

    private static void render(Object value, RenderContext context) {
        context.renderIfRequested(MIMEType.TEXT_HTML, () -> Notebook.html(value));
        context.renderIfRequested(MIMEType.TEXT_PLAIN, () -> value.toString());
    }
}

package dev.millrace.internal.sql;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.MetadataHandlerProvider;

/// Keeps the handlers of another provider, which have no state. Calcite asks for all of them, thirty proxies, whenever
/// a rule has changed the query.
///
/// Thread-safe.
final class KeptHandlers implements MetadataHandlerProvider {
    private final MetadataHandlerProvider provider;
    private final Map<Class<?>, MetadataHandler<?>> kept = new ConcurrentHashMap<>();

    KeptHandlers(MetadataHandlerProvider provider) {
        this.provider = provider;
    }

    @Override
    public <H extends MetadataHandler<?>> H handler(Class<H> type) {
        return type.cast(kept.computeIfAbsent(type, _ -> provider.handler(type)));
    }

    /// A handler that has met a relation it does not know; those of reflection know all.
    @Override
    public <H extends MetadataHandler<?>> H revise(Class<H> type) {
        return provider.revise(type);
    }
}

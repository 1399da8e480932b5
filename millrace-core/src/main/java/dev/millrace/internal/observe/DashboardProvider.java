package dev.millrace.internal.observe;

import dev.millrace.error.MillraceException;
import dev.millrace.settings.DashboardSettings;
import java.util.ServiceLoader;

/// Opens dashboards; found by [ServiceLoader].
public interface DashboardProvider {
    /// Begins to listen and says where; the caller closes it.
    SessionObserver open(DashboardSettings settings, SessionView session);

    /// The dashboard of a session.
    ///
    /// @throws MillraceException culprit USER, naming the artifact that is missing, if no provider is on the class path
    static SessionObserver openFor(DashboardSettings settings, SessionView session) {
        for (DashboardProvider provider : ServiceLoader.load(DashboardProvider.class)) {
            return provider.open(settings, session);
        }
        for (DashboardProvider provider :
                ServiceLoader.load(DashboardProvider.class, DashboardProvider.class.getClassLoader())) {
            return provider.open(settings, session);
        }
        throw MillraceException.user("A session with a dashboard needs the artifact dev.millrace:millrace-dashboard,"
                + " which is not on the class path.");
    }
}

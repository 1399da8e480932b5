package dev.millrace.cli;

import picocli.CommandLine.IVersionProvider;

/// The version for picocli.
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {Release.text()};
    }
}

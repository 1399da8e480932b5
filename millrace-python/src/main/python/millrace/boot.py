# Begins a worker: Java sends this behind a line with SOURCES, the modules of the package by name.
import importlib.abc
import importlib.util
import sys


class PackageInMemory(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The package `millrace` of the Java side, whatever is installed."""

    def find_spec(self, name, path=None, target=None):
        if name in SOURCES:
            return importlib.util.spec_from_loader(name, self, is_package=name == "millrace")

    def exec_module(self, module):
        file = f"<millrace {module.__name__}>"
        exec(compile(SOURCES[module.__name__], file, "exec"), module.__dict__)


sys.meta_path.insert(0, PackageInMemory())
importlib.import_module("millrace.worker").main()

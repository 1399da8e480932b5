"""The process of a Python worker: one user's object, batches in shared memory.

Orders come through the pipe that was standard input, answers leave through the one that was standard output. Everything
ends with the Java process: its end closes the pipe, and the kernel kills this process where it can (Linux).

Needs Python 3.10, pyarrow and NumPy; torch only for batches of tensors.
"""

import importlib
import io
import json
import os
import signal
import sys
import threading
import time

from millrace.wire import ERROR, Frames


def follow_parent(parent, frames):
    """Ends this process, and those that it started, with the Java process, even while user code holds the GIL."""
    try:
        os.setpgid(0, 0)
    except OSError:
        pass
    if sys.platform.startswith("linux"):
        try:
            import ctypes

            ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        except (OSError, AttributeError):
            pass

    watch(parent)
    os.register_at_fork(after_in_child=lambda: forked(os.getppid(), frames))


def forked(parent, frames):
    """In a child that user code forked: it has no part in the conversation, and ends with the worker."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (frames.orders, frames.answers):
        os.dup2(null, number)
    os.close(null)
    watch(parent)


def watch(parent):
    def run():
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=run, daemon=True, name="millrace-parent").start()


def end_group():
    """Ends this process and all that it started."""
    try:
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
    finally:
        os._exit(0)


def main():
    frames = Frames(os.dup(0), os.dup(1), end_group)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    # What user code prints goes to standard error, so that it never gets between the frames.
    os.dup2(2, 1)
    # A full pipe must not cut a line of the user: lines are written as they come.
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), "utf-8", "replace", line_buffering=True)
    follow_parent(os.getppid(), frames)
    order = json.loads(frames.receive()[4])
    try:
        calls = importlib.import_module("millrace.calls")
    except ImportError as error:
        frames.send(ERROR, 0, 1, text=f"{sys.executable} has no {error.name or error}. A Python worker needs pyarrow and"
                                      " numpy: install both there, or name them in requirements(...)".encode())
        return
    if order["format"] == "TORCH":
        try:
            importlib.import_module("torch")
        except ImportError:
            frames.send(ERROR, 0, 1, text=f"{sys.executable} has no torch, but the function is to get torch tensors:"
                                          " install it there, or name it in requirements(...)".encode())
            return
    worker = calls.Worker(frames, end_group)
    if worker.start(order):
        worker.serve()

"""Where the package may be imported: gnomon._core calls back into the main interpreter, and only under its lock."""
from __future__ import annotations

import sys


def require_main() -> None:
    """Refuses a sub-interpreter."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # Python ≥ 3.13, and before
        try:
            interpreters = __import__(name)
        except ImportError:
            continue
        if interpreters.get_current() != interpreters.get_main():
            raise ImportError("gnomon works in Python's main interpreter only, not in a sub-interpreter; use threads or processes")
        return


def require_lock() -> None:
    """A free-threaded Python turns its lock on when it imports a module that needs it, unless it was told not to."""
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        raise ImportError("gnomon needs the global interpreter lock; start Python without PYTHON_GIL=0 and -X gil=0")


require_main()

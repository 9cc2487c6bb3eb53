#!/bin/sh
# setup-python.sh: makes .cache/python, the virtual environment with the Python peers that the
# interoperability tests talk to. Tests that need it are skipped, and say so, while it is absent.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
venv=$root/.cache/python
if "$venv/bin/python" -c 'import websockets' 2>/dev/null; then
    echo "ready: .cache/python"
    exit 0
fi
python3 -m venv "$venv"
if ! "$venv/bin/python" -m pip install -q --disable-pip-version-check 'websockets==15.0.1'; then
    rm -rf "$venv"
    echo "setup-python.sh: PyPI can't be reached (or has no websockets 15.0.1); the tests" >&2
    echo "against Python peers will be skipped" >&2
    exit 1
fi
echo "ready: .cache/python"

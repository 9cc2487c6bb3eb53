#!/bin/sh
# Runs the official Python client (PyPI openai) against a server of ours.
# Usage: Tests/Interop/run.sh [WAV] [-- COMMAND...]
# COMMAND serves and prints "listening on URL"; default: `realtime serve` of the debug build.
# Exits 0 where the client is content, 0 with a line "SKIPPED: …" where PyPI or the WAV can't
# be had, else 1.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
wav=$root/../shared/audio/weather_question.wav
if [ $# -gt 0 ] && [ "$1" != -- ]; then wav=$1; shift; fi
if [ "${1:-}" = -- ]; then shift; fi
[ $# -gt 0 ] || set -- "$root/.build/debug/realtime" serve --port 0

skip() { echo "SKIPPED: interop with the Python openai client: $*"; exit 0; }

[ -f "$wav" ] || skip "no WAV at $wav"
command -v python3 >/dev/null || skip "no python3"
venv=$root/.cache/interop
if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import openai, websockets' 2>/dev/null
then
    echo "interop: installing the Python client into .cache/interop"
    rm -rf "$venv"
    python3 -m venv "$venv" >/dev/null 2>&1 || skip "python3 has no venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --timeout 20 \
        --retries 1 'openai[realtime]>=2,<3' >/dev/null 2>&1 ||
        { rm -rf "$venv"; skip "PyPI is not reachable"; }
fi

log=$(mktemp)
"$@" >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -f "$log"' EXIT
trap 'exit 1' INT TERM
url=
tries=0
while [ -z "$url" ]; do
    kill -0 "$server" 2>/dev/null || { echo "interop: the server ended:"; cat "$log"; exit 1; }
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { echo "interop: the server did not start:"; cat "$log"; exit 1; }
    url=$(sed -n 's/^listening on \(http[^ ]*\).*/\1/p' "$log" | head -1)
    [ -n "$url" ] || sleep 0.1
done
"$venv/bin/python" "$root/Tests/Interop/openai_client.py" "$url" "$wav"

#!/bin/sh
# run.sh [CASES]: examines the WebSocket codec in both roles with the Autobahn test suite
# (default: core) and fails if a case is FAILED. The suite's scripts are expected in
# ../shared/tools/autobahn beside this repository, or in AUTOBAHN_TOOLS; the virtual environment
# is made in .cache/autobahn, or taken from AUTOBAHN_VENV. Reports go to .cache/autobahn-reports.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
tools=${AUTOBAHN_TOOLS:-../shared/tools/autobahn}
[ -f "$tools/prepare.py" ] || { echo "run.sh: no Autobahn tools in $tools; set AUTOBAHN_TOOLS" >&2; exit 2; }
cases=${1:-core}
AUTOBAHN_VENV=${AUTOBAHN_VENV:-$root/.cache/autobahn}
export AUTOBAHN_VENV
[ -x "$AUTOBAHN_VENV/bin/wstest" ] || python3 "$tools/prepare.py" "$AUTOBAHN_VENV"
swift build --product WebSocketConformance -c "${CONFIGURATION:-debug}"
peer=$(swift build -c "${CONFIGURATION:-debug}" --show-bin-path)/WebSocketConformance
out=$root/.cache/autobahn-reports
mkdir -p "$out"
port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
pid=; trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || :' EXIT
status=0

echo "== client role, $cases"
p=$(port)
"$tools/fuzzingserver.sh" "$p" "$cases" "$out/client" >"$out/client.log" 2>&1 & pid=$!
"$peer" client "ws://127.0.0.1:$p"
kill "$pid"; wait "$pid" 2>/dev/null || :; pid=
"$tools/report.py" "$out/client" || status=1

echo "== server role, $cases"
p=$(port)
"$peer" server "$p" & pid=$!
until python3 -c "import socket; socket.create_connection(('127.0.0.1', $p)).close()" 2>/dev/null; do
    kill -0 "$pid" || { echo "run.sh: the echo server did not start" >&2; exit 2; }
    sleep 0.1
done
"$tools/fuzzingclient.sh" "ws://127.0.0.1:$p" "$cases" "$out/server" RealtimeVoice || status=1
kill "$pid"; wait "$pid" 2>/dev/null || :; pid=
exit $status

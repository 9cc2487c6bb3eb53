#!/bin/sh
# Fetches the speech recogniser Moonshine (PyPI moonshine-voice 0.1.0: library and English
# model in one wheel) once, checks its hash and unpacks it into .cache/moonshine.
# Usage: scripts/fetch-moonshine.sh [DIRECTORY]
set -eu

version=0.1.0
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
target=${1:-${REALTIME_MOONSHINE_DIR:-$root/.cache/moonshine}}

say() { echo "fetch-moonshine: $*"; }
fail() { echo "fetch-moonshine: $*" >&2; exit 1; }

# The hashes that we know, by the wheel's file name. An unknown wheel is refused.
known_hash() {
    case $1 in
    moonshine_voice-0.1.0-py3-none-manylinux_2_34_x86_64.whl)
        echo 0f833deb43bad5dcfb4cfd3257b6df83ef9abd3f27be3199622fe41932e8d916 ;;
    moonshine_voice-0.1.0-py3-none-manylinux_2_34_aarch64.whl)
        echo da54a99587edb987c8755f2c746cab72fada0e67cf847f7edfb8105447f405af ;;
    moonshine_voice-0.1.0-py3-none-macosx_15_0_arm64.whl)
        echo 9c70431836ed805f9ab30adcdfe97018c17b1e932ba7e205fff0562950dc0913 ;;
    *) return 1 ;;
    esac
}

hash_of() {
    if command -v sha256sum >/dev/null; then sha256sum "$1" | cut -d' ' -f1
    else shasum -a 256 "$1" | cut -d' ' -f1; fi
}

if [ -f "$target/version" ] && [ "$(cat "$target/version")" = "$version" ]; then
    say "already there: $target"
    exit 0
fi

if [ -d "$target" ] && [ -n "$(ls -A "$target")" ] && [ ! -d "$target/moonshine_voice" ]; then
    fail "$target holds something else; it is left alone"
fi

command -v python3 >/dev/null || fail "needs python3 with pip (Debian: apt-get install python3-pip)"
python3 -m pip --version >/dev/null 2>&1 ||
    fail "python3 has no pip (Debian: apt-get install python3-pip)"

mkdir -p "$(dirname "$target")"
work=$(mktemp -d "$(dirname "$target")/moonshine.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM

say "downloading moonshine-voice $version (56 MB) from PyPI"
python3 -m pip download --quiet --no-deps --only-binary=:all: --disable-pip-version-check \
    --dest "$work" "moonshine-voice==$version" ||
    fail "download failed: is PyPI reachable, and is there a wheel for this platform?"

wheel=$(ls "$work"/*.whl) || fail "pip brought no wheel"
name=$(basename "$wheel")
expected=$(known_hash "$name") ||
    fail "the wheel for this platform, $name, has no known hash; it is not used.
Check it and add its sha256 to known_hash in $0. Until then PocketSphinx hears."
actual=$(hash_of "$wheel")
[ "$actual" = "$expected" ] ||
    fail "$name has sha256 $actual, expected $expected; it is not used"

say "unpacking into $target"
python3 -m zipfile -e "$wheel" "$work/unpacked"
echo "$version" >"$work/unpacked/version"
rm -rf "$target"
mv "$work/unpacked" "$target"
say "done"

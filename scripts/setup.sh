# Installs what the package needs; sourced by ./realtime and ./test, which set `root` and `self`.
# All messages go to standard error. What is there already is found out without a network.

say() { echo "$self: $*" >&2; }

fail() {
    echo "$self: $1" >&2
    shift
    for line in "$@"; do echo "  $line" >&2; done
    exit 1
}

need_swift() {
    command -v swift >/dev/null 2>&1 && return
    fail "there is no swift here" \
        "install Swift 6.3 or newer: https://www.swift.org/install" \
        "then open a new shell, or add its usr/bin to PATH"
}

# Installs those of the Debian packages that are missing. Fails where that is not possible.
install_packages() {
    local missing=() package
    for package in "$@"; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
            missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    say "installing ${missing[*]} with apt-get"
    local sudo=()
    if [[ $(id -u) != 0 ]]; then
        command -v sudo >/dev/null 2>&1 ||
            fail "installing needs root, and there is no sudo here" \
                "as root: apt-get install ${missing[*]}"
        sudo=(sudo)
    fi
    local log
    log=$(mktemp)
    if ! apt_install "${missing[@]}" >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        rm -f "$log"
        fail "apt-get could not install ${missing[*]}" \
            "is the network there, and is no other apt running? By hand:" \
            "${sudo[*]:+sudo }apt-get update && ${sudo[*]:+sudo }apt-get install ${missing[*]}"
    fi
    rm -f "$log"
}

apt_install() {
    local run=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get
        -o DPkg::Lock::Timeout=120 -qq)
    # Without an update first: the lists are often there, and an update is the slow part.
    "${run[@]}" install -y --no-install-recommends "$@" </dev/null && return
    "${run[@]}" update </dev/null || true
    "${run[@]}" install -y --no-install-recommends "$@" </dev/null
}

has_apt() { command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; }

# What the compiler needs.
install_build_packages() {
    case $(uname -s) in
    Linux)
        if has_apt; then
            install_packages libcurl4-openssl-dev libmicrohttpd-dev pkg-config
        elif ! pkg-config --exists libcurl libmicrohttpd 2>/dev/null; then
            fail "the headers of libcurl or libmicrohttpd, or pkg-config, are missing" \
                "install them with your package manager (Fedora: dnf install" \
                "libcurl-devel libmicrohttpd-devel pkgconf-pkg-config flite)"
        fi
        ;;
    Darwin)
        pkg-config --exists libmicrohttpd 2>/dev/null ||
            fail "libmicrohttpd is missing" "brew install libmicrohttpd pkg-config flite"
        ;;
    *) fail "this system is not known here: $(uname -s)" "Linux and macOS are" ;;
    esac
}

# Who speaks. Without it only --provider works, with --input, so this never fails.
install_voice() {
    if has_apt; then
        install_packages libflite1
    elif [[ $(uname -s) == Darwin ]] && ! ls /opt/homebrew/lib/libflite* /usr/local/lib/libflite* \
        >/dev/null 2>&1; then
        say "note: nobody speaks without flite: brew install flite"
    fi
}

install_pocketsphinx() {
    has_apt || return 0
    install_packages libpocketsphinx3 pocketsphinx-en-us
}

# Who hears: Moonshine, fetched once, else PocketSphinx. Never fails.
install_hearing() {
    export REALTIME_MOONSHINE_DIR=${REALTIME_MOONSHINE_DIR:-$root/.cache/moonshine}
    [[ -f $REALTIME_MOONSHINE_DIR/version ]] && return 0
    # One attempt in an hour: without a network every start would wait for it.
    local mark=$root/.cache/moonshine-failed
    if [[ -n $(find "$mark" -mmin -60 2>/dev/null) ]]; then
        unset REALTIME_MOONSHINE_DIR
        install_pocketsphinx
        return 0
    fi
    if has_apt && ! python3 -m pip --version >/dev/null 2>&1; then
        install_packages python3 python3-pip
    fi
    mkdir -p "$root/.cache"
    if "$root/scripts/fetch-moonshine.sh" "$REALTIME_MOONSHINE_DIR" >&2 </dev/null; then
        rm -f "$mark"
        return 0
    fi
    touch "$mark"
    say "warning: Moonshine could not be fetched; PocketSphinx hears, which understands less."
    say "  to try again at once: rm .cache/moonshine-failed in $root"
    unset REALTIME_MOONSHINE_DIR
    install_pocketsphinx
}

# Runs a build, showing how far it is, and what failed.
build() {
    local log=$1
    shift
    mkdir -p "$(dirname "$log")"
    if "$@" </dev/null 2>&1 | tee "$log" | show_progress; then return 0; fi
    grep -E 'error:' "$log" | sort -u | head -n 20 >&2 || tail -n 20 "$log" >&2
    fail "the build failed: $*" \
        "the whole log: $log" \
        "it needs Swift 6.3 or newer; this is: $(swift --version 2>/dev/null | head -n 1)" \
        "if it has been interrupted or moved: rm -rf $root/.build, and again"
}

# Shows at most a line every few seconds; on a terminal, one line that is rewritten.
show_progress() {
    local line last=-10 start=$SECONDS
    while IFS= read -r line; do
        [[ $line == \[*/*\]* ]] || continue
        if [[ -t 2 ]]; then
            printf '\r\033[K%.78s' "$line" >&2
        elif ((SECONDS - last >= 15)); then
            printf '  %.78s\n' "$line" >&2
            last=$SECONDS
        fi
    done
    if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
    say "that took $((SECONDS - start)) s"
}

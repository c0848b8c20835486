# Shared by tools/setup, tools/test and .ci/run: paths, messages, Debian packages, Rust.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${REPLAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/replay}

step() { printf '\n== %s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 2
}

# Installs the Debian packages that are missing; a command of the same name from elsewhere (npm, curl) will do.
packages() {
  local missing=() p
  for p in "$@"; do command -v "$p" >/dev/null || dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p"); done
  [ ${#missing[@]} = 0 ] && return 0
  command -v apt-get >/dev/null || die "these packages are missing and there is no apt-get: ${missing[*]}"
  local sudo=()
  [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null || die "run as root, or install: ${missing[*]}"; sudo=(sudo); }
  echo "installing ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# A Rust toolchain that is new enough: the one at hand, else Debian's (`rustc-web`, the one it keeps current for its browsers), else rustup's.
rust() {
  [ -x "$HOME/.cargo/bin/cargo" ] && PATH="$HOME/.cargo/bin:$PATH"
  local want
  want=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml")
  rust_is "$want" && return 0
  if rust_of_debian "$want"; then
    echo "Rust: Debian's rustc-web"
    packages rustc-web cargo-web rustfmt-web
    hash -r
  elif ! command -v rustup >/dev/null && command -v curl >/dev/null; then
    echo "Rust: rustup's installer"
    curl --proto '=https' --tlsv1.2 -sSf --max-time 300 https://sh.rustup.rs | sh -s -- -y --profile minimal -c rustfmt -c clippy || true
    PATH="$HOME/.cargo/bin:$PATH"
  fi
  rust_is "$want" || die "Rust $want or newer is needed, this is ${have:-none}: install it from https://rustup.rs (or 'rustup update') and run this again"
}

# WANT: whether the cargo at hand, asked in the project's folder, is that new; sets `have`.
rust_is() {
  have=$(cd "$root" && cargo --version 2>/dev/null | cut -d' ' -f2)
  at_least "$1" "$have"
}

# WANT: whether Debian's suites at hand offer that compiler.
rust_of_debian() {
  command -v apt-get >/dev/null || return 1
  [ -n "$(apt-cache madison rustc-web 2>/dev/null)" ] || [ "$(id -u)" != 0 ] || apt-get update -qq
  at_least "$1" "$(apt-cache policy rustc-web 2>/dev/null | sed -n 's/^ *Candidate: *\([0-9.]*\).*/\1/p')"
}

# WANT HAVE: versions, compared as versions.
at_least() { [ -n "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -1)" = "$1" ]; }

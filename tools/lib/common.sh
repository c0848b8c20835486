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

# A Rust toolchain that is new enough: the one at hand, else rustup's.
rust() {
  [ -x "$HOME/.cargo/bin/cargo" ] && PATH="$HOME/.cargo/bin:$PATH"
  local want have
  want=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml")
  have=$(cd "$root" && cargo --version 2>/dev/null | cut -d' ' -f2)
  if [ -z "$have" ] && command -v curl >/dev/null; then
    echo "no Rust found: trying rustup's installer"
    curl --proto '=https' --tlsv1.2 -sSf --max-time 300 https://sh.rustup.rs | sh -s -- -y --profile minimal -c rustfmt -c clippy || true
    PATH="$HOME/.cargo/bin:$PATH"
    have=$(cd "$root" && cargo --version 2>/dev/null | cut -d' ' -f2)
  fi
  [ -n "$have" ] || die "Rust $want or newer is needed: install it from https://rustup.rs and run this again"
  [ "$(printf '%s\n%s\n' "$want" "$have" | sort -V | head -1)" = "$want" ] || die "Rust $want or newer is needed, this is $have: run 'rustup update'"
}

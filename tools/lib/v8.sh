# Finds the V8 archive that the `v8` crate links: given, cached, downloaded, or built from source.
# Sets and exports RUSTY_V8_ARCHIVE, and writes it to .cargo/config.toml (ignored by git) for a plain `cargo build`.

v8_version=150.4.0
v8_name=librusty_v8_simdutf_release_x86_64-unknown-linux-gnu

v8_archive() {
  local cached=$cache/v8/$v8_name-$v8_version.a.gz shared=$root/../shared/v8/$v8_name-$v8_version.a.gz url
  if [ -n "${RUSTY_V8_ARCHIVE:-}" ]; then
    [ -f "$RUSTY_V8_ARCHIVE" ] || die "RUSTY_V8_ARCHIVE names no file: $RUSTY_V8_ARCHIVE"
    gzip -t "$RUSTY_V8_ARCHIVE" 2>/dev/null || die "RUSTY_V8_ARCHIVE is no whole gzip archive: $RUSTY_V8_ARCHIVE"
    # Cargo runs the build from other folders.
    RUSTY_V8_ARCHIVE=$(realpath "$RUSTY_V8_ARCHIVE")
    echo "V8: the archive given in RUSTY_V8_ARCHIVE"
  elif [ -f "$shared" ]; then
    RUSTY_V8_ARCHIVE=$(realpath "$shared")
    echo "V8: the archive beside the checkout, $RUSTY_V8_ARCHIVE"
  elif [ -f "$cached" ] && gzip -t "$cached" 2>/dev/null; then
    RUSTY_V8_ARCHIVE=$cached
    echo "V8: cached, $cached"
  else
    mkdir -p "$cache/v8"
    url=https://github.com/denoland/rusty_v8/releases/download/v$v8_version/$v8_name.a.gz
    echo "V8: downloading the official library (about 30 MB)"
    if curl -fL --retry 2 --connect-timeout 15 --max-time 1800 --progress-bar -o "$cached.part" "$url" && gzip -t "$cached.part"; then
      mv "$cached.part" "$cached"
    else
      rm -f "$cached.part"
      echo "V8: the official library can't be reached, so it is built from its Cargo source with Debian's clang."
      if [ -f "$cache/v8-build-$v8_version/src/out/.ninja_log" ]; then
        echo "    An earlier build was stopped; it goes on where it was."
      else
        echo "    About $((110 / $(nproc) + 5)) minutes on this machine ($(nproc) cores), once; stopped and started again, it goes on where it was."
      fi
      "$root/tools/build-v8" "$cached" || die "V8 could not be built; what was printed above says why. Run this again to go on from there."
    fi
    RUSTY_V8_ARCHIVE=$cached
  fi
  export RUSTY_V8_ARCHIVE
  mkdir -p "$root/.cargo"
  printf '# Written by tools/setup: where this machine has V8.\n[env]\nRUSTY_V8_ARCHIVE = "%s"\n' "$RUSTY_V8_ARCHIVE" > "$root/.cargo/config.toml"
}

# lavapipe, Mesa's Vulkan driver for machines without a GPU. Debian 12 has that of Mesa 22.3; the one in its backports draws
# the same pictures in about 60 % of the time (benches/RESULTS.md).

mesa_wanted=25

# Takes mesa-vulkan-drivers from bookworm-backports where it matters: on Debian 12, without a GPU, with an older one.
# The suite is asked for once and not added to the machine's sources.
lavapipe() {
  compgen -G '/dev/dri/renderD*' >/dev/null && return 0
  [ "$(. /etc/os-release 2>/dev/null && echo "${ID:-} ${VERSION_ID:-}")" = "debian 12" ] || return 0
  local have parts sudo=()
  have=$(dpkg-query -W -f='${Version}' mesa-vulkan-drivers 2>/dev/null) || true
  dpkg --compare-versions "${have:-0}" ge "$mesa_wanted" && return 0
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  echo "no GPU here: taking lavapipe from bookworm-backports"
  parts=$(mktemp -d)
  chmod 755 "$parts"
  cp -r /etc/apt/sources.list.d/. "$parts" 2>/dev/null || true
  echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm-backports main' > "$parts/replay-backports.list"
  if ! { "${sudo[@]}" apt-get -o "Dir::Etc::sourceparts=$parts" update -qq &&
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get -o "Dir::Etc::sourceparts=$parts" install -y -qq --no-install-recommends \
      -t bookworm-backports mesa-vulkan-drivers >/dev/null; }; then
    echo "warning: that did not work; lavapipe ${have:-of Debian 12} will do, more slowly"
  fi
  rm -r "$parts"
}

#!/bin/sh
# Installs Ritual Agent for one user, without root, from the directory of this script.
set -eu

usage() {
  cat <<'END'
usage: ./install.sh [--prefix DIRECTORY] [--uninstall]
  --prefix DIRECTORY  install below this directory, by default ~/.local
  --uninstall         remove what was installed there
END
}

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  shift
  [ $# = 0 ] || printf '  %s\n' "$@" >&2
  exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
prefix='' uninstall=no
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) [ $# -gt 1 ] || { usage >&2; exit 64; }; prefix=$2; shift ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --uninstall) uninstall=yes ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 64 ;;
  esac
  shift
done

root=no
[ "$(id -u)" != 0 ] || root=yes
if [ -z "$prefix" ]; then
  [ $root = no ] || fail 'this installs for one user, and you are root' \
    'for all users, install the Debian package, or: ./install.sh --prefix /usr/local'
  : "${HOME:?}"
  prefix=$HOME/.local
fi
case $prefix in
  /*) ;;
  *) fail "the prefix must be an absolute path, not $prefix" ;;
esac
# systemd would read other characters of a path as quotes or specifiers.
case $prefix in
  *[!A-Za-z0-9/._+@-]*) fail "the prefix may contain only letters, digits and /._+@-, not $prefix" ;;
esac
while [ "$prefix" != "${prefix%/}" ]; do prefix=${prefix%/}; done
[ -n "$prefix" ] || fail 'the prefix must not be /'

# The directories of all users, or of this user's manager, which does not search other prefixes.
if [ $root = yes ]; then
  units=$prefix/lib/systemd/user data=$prefix/share keep=$prefix
else
  # Like the programs, this ignores a relative path.
  case ${XDG_DATA_HOME-} in
    /*) data=$XDG_DATA_HOME ;;
    *) data=${HOME:?}/.local/share ;;
  esac
  units=$data/systemd/user keep=$data
fi
own=$prefix/lib/ritual-agent
list=$own/installed-files

# systemctl --user needs this variable, which su and cron do not set.
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/run/user/$(id -u)}"

# No user manager runs for root, and perhaps none in a container.
manager() {
  [ $root = no ] && [ -S "$XDG_RUNTIME_DIR/systemd/private" ]
}

prune() { # prune DIRECTORY: removes it and those above it that are empty, below prefix and data
  folder=$1
  while [ "$folder" != "$prefix" ] && [ "$folder" != "$keep" ] && rmdir "$folder" 2>/dev/null; do
    folder=${folder%/*}
  done
}

if [ $uninstall = yes ]; then
  [ -f "$list" ] || fail "nothing is installed in $prefix"
  if manager; then
    systemctl --user --quiet disable --now ritual-agent.socket ritual-agent.service ritual-notify.service || true
  fi
  files=$(cat "$list")
  rm -f "$list"
  printf '%s\n' "$files" | while IFS= read -r file; do
    rm -f "$file"
    prune "${file%/*}"
  done
  if manager; then systemctl --user daemon-reload || true; fi
  echo "removed from $prefix; configuration, vault and keys are still in your home directory"
  exit 0
fi

[ -d "$here/bin" ] || fail "$here has no bin: run the script of an unpacked tarball"
for program in "$here"/bin/*; do
  said=$("$program" --help 2>&1) || fail "${program##*/} cannot run on this system:" "$said" \
    'it needs the libraries of Debian 12, Ubuntu 22.04 or later: sudo apt install libsystemd0 libstdc++6'
done

umask 022
mkdir -p "$own"
# Also removes what only an older version had.
[ ! -f "$list" ] || while IFS= read -r file; do rm -f "$file"; done < "$list"
printf '%s\n' "$own/install.sh" > "$list"
install -m 755 "$here/install.sh" "$own/install.sh"

(cd "$here" && find bin lib share -type f | LC_ALL=C sort) > "$list.new"
while IFS= read -r file; do
  case $file in
    lib/systemd/user/*) target=$units/${file##*/} ;;
    share/user-tmpfiles.d/* | share/applications/*) target=$data/${file#share/} ;;
    *) target=$prefix/$file ;;
  esac
  printf '%s\n' "$target" >> "$list"
  mkdir -p "${target%/*}"
  case $file in
    bin/*) install -m 755 "$here/$file" "$target" ;;
    lib/systemd/user/* | share/applications/*)
      sed "s|/usr/bin/ritual|$prefix/bin/ritual|g" "$here/$file" > "$target.new"
      mv "$target.new" "$target"
      ;;
    *) install -m 644 "$here/$file" "$target" ;;
  esac
done < "$list.new"
rm "$list.new"

echo "installed in $prefix"
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *)
    echo 'ritualctl is not in PATH yet: type this, and add it to ~/.profile'
    echo "  export PATH=\"$prefix/bin:\$PATH\""
    ;;
esac
start='systemctl --user daemon-reload && systemctl --user enable --now ritual-agent.socket'
case $root$prefix in
  no* | yes/usr | yes/usr/local) ;;
  *)
    echo "install.sh: systemd does not search $units: for units that users can enable, use --prefix /usr/local" >&2
    start=ritual-agentd
    ;;
esac
echo 'next:'
echo "  $start"
echo '  ritualctl init'
echo '  ritualctl sign-in'
echo "to remove: $own/install.sh --uninstall$([ "$prefix" = "${HOME-}/.local" ] || echo " --prefix $prefix")"

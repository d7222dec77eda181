# Shared by the scripts: messages, and what a machine needs beyond Swift. To be sourced.
#
#   ensure_swift    a Swift that can build the package, or an explanation
#   ensure_yajl     libyajl and its headers, installed by apt, dnf or Homebrew where missing
#   ensure_sqlite   SQLite and its headers, likewise
#   ensure_curl     libcurl, zlib and their headers, likewise
#   ensure_libpq    Postgres' library and its headers, likewise
#   ensure_zstd     libzstd and its headers, likewise
#   ensure_postgres a Postgres server, which only the tests of Postgres need
#   ensure_command  any other program, likewise; with a second word, from the package of that name

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

if [[ -t 1 ]]; then
  bold=$'\e[1m' plain=$'\e[0m'
else
  bold='' plain=''
fi

say() {
  printf '%s==> %s%s\n' "$bold" "$*" "$plain"
}

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

ensure_swift() {
  command -v swift >/dev/null || fail "Swift 6.2 or later is needed and not found.
  Get it from https://www.swift.org/install (swiftly install latest), or on macOS with Xcode."
  local version
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
  local major=${version%%.*} minor=${version##*.}
  if ((${major:-0} < 6 || (${major:-0} == 6 && ${minor:-0} < 2))); then
    fail "Swift 6.2 or later is needed, found ${version:-an unknown version}; see https://www.swift.org/install"
  fi
}

as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "neither root nor sudo; please run as root: $*"
  fi
}

# Installs a package that has these names: with apt, with dnf, with Homebrew.
install_package() {
  local apt=$1 dnf=$2 brew=$3
  if command -v apt-get >/dev/null; then
    say "Installing $apt"
    as_root apt-get -qq update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "$apt" >/dev/null
  elif command -v dnf >/dev/null; then
    say "Installing $dnf"
    as_root dnf --quiet --assumeyes install "$dnf"
  elif command -v brew >/dev/null; then
    say "Installing $brew"
    brew install --quiet "$brew"
  else
    fail "no apt-get, dnf or brew here; please install $apt (as it is called on Debian) by other means"
  fi
}

ensure_command() {
  local package=${2:-$1}
  command -v "$1" >/dev/null || install_package "$package" "$package" "$package"
}

ensure_yajl() {
  if [[ $(uname) == Darwin ]]; then
    use_homebrew
    return
  fi
  [[ -e /usr/include/yajl/yajl_parse.h || -e /usr/local/include/yajl/yajl_parse.h ]] ||
    install_package libyajl-dev yajl-devel yajl
  # SwiftPM asks it where Debian keeps the files that describe libraries.
  command -v pkg-config >/dev/null || install_package pkg-config pkgconf-pkg-config pkgconf
}

# macOS has its own.
ensure_sqlite() {
  [[ $(uname) == Darwin || -e /usr/include/sqlite3.h || -e /usr/local/include/sqlite3.h ]] ||
    install_package libsqlite3-dev sqlite-devel sqlite
}

# macOS has its own zlib, and downloads without libcurl.
ensure_curl() {
  [[ $(uname) == Darwin ]] && return
  command -v pkg-config >/dev/null || install_package pkg-config pkgconf-pkg-config pkgconf
  pkg-config --exists libcurl || install_package libcurl4-openssl-dev libcurl-devel curl
  pkg-config --exists zlib || install_package zlib1g-dev zlib-devel zlib
}

ensure_libpq() {
  if [[ $(uname) == Darwin ]]; then
    command -v brew >/dev/null || fail "Homebrew is needed to install libpq; see https://brew.sh"
    local prefix
    prefix=$(brew --prefix)/opt/libpq
    [[ -e $prefix/include/libpq-fe.h ]] || install_package libpq-dev libpq-devel libpq
    # Homebrew keeps it apart from what the system searches.
    export PKG_CONFIG_PATH="$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
    return
  fi
  command -v pkg-config >/dev/null || install_package pkg-config pkgconf-pkg-config pkgconf
  pkg-config --exists libpq || install_package libpq-dev libpq-devel libpq
}

ensure_zstd() {
  command -v pkg-config >/dev/null || install_package pkg-config pkgconf-pkg-config pkgconf
  pkg-config --exists libzstd || install_package libzstd-dev libzstd-devel zstd
}

ensure_postgres() {
  compgen -G '/usr/lib/postgresql/*/bin/pg_ctl' >/dev/null || command -v pg_ctl >/dev/null ||
    install_package postgresql postgresql-server postgresql@15
}

# YAJL's pkg-config file names the directory of its headers, though the headers include each other
# as <yajl/...>; and Homebrew's prefix on Apple silicon is not searched without being told.
use_homebrew() {
  command -v brew >/dev/null || fail "Homebrew is needed to install yajl; see https://brew.sh"
  local prefix
  prefix=$(brew --prefix)
  [[ -e $prefix/include/yajl/yajl_parse.h ]] || install_package libyajl-dev yajl-devel yajl
  export CPATH="$prefix/include${CPATH:+:$CPATH}"
  export LIBRARY_PATH="$prefix/lib${LIBRARY_PATH:+:$LIBRARY_PATH}"
}

#!/usr/bin/env bash
# Brings up what the tests need and this machine lacks: PostgreSQL, Redis and Chromium, from Debian's
# packages where they may be installed (as root), else a clear failure. What runs already is used.
set -euo pipefail

say() { printf 'services: %s\n' "$*"; }
fail() { printf 'services: %s\n' "$*" >&2; exit 1; }

install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
    fail "$* is missing. Install it (Debian: apt-get install $*), or run this as root on Debian."
  say "installing $*"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -o DPkg::Lock::Timeout=400 update -qq
  apt-get -o DPkg::Lock::Timeout=400 install -y -qq --no-install-recommends "$@" >/dev/null
}

# --- Chromium, for the journeys; fonts, so that every script of the demo studies has its letters.
if ! command -v chromium >/dev/null && [ -z "${CHROMIUM:-}" ]; then
  install chromium fonts-dejavu-core fonts-noto-core fonts-wqy-zenhei
fi

# --- Redis, which the tests of distributed runs start by themselves, each on a port of its own.
command -v redis-server >/dev/null || install redis-server

# --- PostgreSQL. TEST_DATABASE_URL names another server than the local one.
[ -n "${TEST_DATABASE_URL:-}" ] && exit 0
port=5432
ready() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
if ! ready; then
  command -v pg_ctlcluster >/dev/null || install postgresql
  [ "$(id -u)" = 0 ] || fail "PostgreSQL does not answer on port $port. Start it, or set TEST_DATABASE_URL."
  version=$(pg_lsclusters -h | awk 'NR==1 {print $1}')
  say "starting PostgreSQL $version"
  pg_ctlcluster --skip-systemctl-redirect "$version" main start
  for _ in $(seq 60); do ready && break; sleep 0.5; done
  ready || fail "PostgreSQL was started and does not answer on port $port."
fi

# A role and a database of our own, so that no password of anybody else's is needed.
url="postgres://parallax_test:parallax_test@127.0.0.1:$port/parallax_test"
if ! "${PYTHON_BIN:-.venv/bin/python}" - "$url" <<'PY'
import sys
import psycopg
try:
    with psycopg.connect(sys.argv[1], connect_timeout=5) as connection:
        # A test makes the role under which the application runs, and connects as it.
        may = "SELECT rolcreaterole FROM pg_roles WHERE rolname = current_user"
        sys.exit(not connection.execute(may).fetchone()[0])
except psycopg.OperationalError:
    sys.exit(1)
PY
then
  as_postgres() {
    if [ "$(id -u)" = 0 ]; then su postgres -c "psql -qAtX -v ON_ERROR_STOP=1 -d postgres"; else psql -qAtX -v ON_ERROR_STOP=1 -d postgres; fi
  }
  if [ "$(as_postgres <<<"SELECT 1 FROM pg_roles WHERE rolname = 'parallax_test'")" = 1 ]; then
    as_postgres <<<"ALTER ROLE parallax_test LOGIN CREATEDB CREATEROLE PASSWORD 'parallax_test'"
  else
    as_postgres <<<"CREATE ROLE parallax_test LOGIN CREATEDB CREATEROLE PASSWORD 'parallax_test'"
  fi
  [ "$(as_postgres <<<"SELECT 1 FROM pg_database WHERE datname = 'parallax_test'")" = 1 ] ||
    as_postgres <<<"CREATE DATABASE parallax_test OWNER parallax_test"
fi
say "ready"

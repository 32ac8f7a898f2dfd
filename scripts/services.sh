#!/usr/bin/env bash
# Starts the servers that the tests use and creates the database and the account they log in with.
# Safe to run again: what already answers is left alone.
#
#   scripts/services.sh             start what is installed, create what is missing
#   scripts/services.sh --install   on Debian and Ubuntu, also install the servers that are missing
#
#   PostgreSQL       postgres://waymark:waymark@127.0.0.1:5432/waymark_test
#   MariaDB, MySQL   mysql://waymark:waymark@127.0.0.1:3306/waymark_test
#   Redis            redis://127.0.0.1:6379
set -euo pipefail

install=false
[ "${1:-}" = --install ] && install=true

# The servers' own accounts own their data; without root every such step goes through sudo.
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }
as_user() {
  local user=$1
  shift
  if [ "$(id -u)" -eq 0 ]; then runuser -u "$user" -- "$@"; else sudo -u "$user" "$@"; fi
}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

wait_for() { # name port
  local _
  for _ in $(seq 1 240); do
    listens "$2" && return 0
    sleep 0.25
  done
  echo "services: $1 does not answer on 127.0.0.1:$2 after 60 s" >&2
  return 1
}

retry() { # The port opens a moment before the first login is accepted.
  local _
  for _ in $(seq 1 40); do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.25
  done
  "$@"
}

postgres_cluster() { ls /etc/postgresql 2>/dev/null | sort -V | tail -n 1; }

# --- install -------------------------------------------------------------------------------------------------------

missing=()
listens 5432 || [ -n "$(postgres_cluster)" ] || missing+=(postgresql)
listens 3306 || [ -x /usr/sbin/mariadbd ] || missing+=(mariadb-server)
listens 6379 || command -v redis-server >/dev/null || missing+=(redis-server)
if [ ${#missing[@]} -gt 0 ]; then
  if ! $install; then
    echo "services: not installed: ${missing[*]}. Install them, or run: scripts/services.sh --install" >&2
    exit 1
  fi
  echo "services: installing ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# --- start ---------------------------------------------------------------------------------------------------------

if ! listens 5432; then
  echo 'services: starting PostgreSQL'
  # 2: it is starting already, as after an installation.
  as_root pg_ctlcluster --skip-systemctl-redirect "$(postgres_cluster)" main start || [ $? -eq 2 ]
fi
if ! listens 3306; then
  echo 'services: starting MariaDB'
  as_root install -d -o mysql -g mysql /run/mysqld
  as_root start-stop-daemon --start --oknodo --background --exec /usr/sbin/mariadbd
fi
if ! listens 6379; then
  echo 'services: starting Redis'
  redis-server --daemonize yes --bind 127.0.0.1 --port 6379 --save "" --appendonly no >/dev/null
fi
wait_for PostgreSQL 5432
wait_for MariaDB 3306
wait_for Redis 6379

# --- accounts and databases ----------------------------------------------------------------------------------------
# The account may create databases of its own, so that a test can have one to itself.

postgres_login() { psql -qAt 'postgres://waymark:waymark@127.0.0.1:5432/waymark_test' -c 'select 1'; }
if ! postgres_login >/dev/null 2>&1; then
  echo 'services: creating the PostgreSQL account and database'
  cd /
  retry as_user postgres psql -qAt -d postgres -c 'select 1'
  as_user postgres psql -q -v ON_ERROR_STOP=1 -d postgres <<'SQL'
set client_min_messages = warning;
do $$ begin
  if not exists (select from pg_roles where rolname = 'waymark') then create role waymark; end if;
end $$;
alter role waymark login createdb password 'waymark';
select 'create database waymark_test owner waymark encoding ''UTF8'' lc_collate ''C'' lc_ctype ''C'' template template0'
  where not exists (select from pg_database where datname = 'waymark_test') \gexec
SQL
fi

mysql_client=$(command -v mariadb || command -v mysql || true)
mysql_login() { "$mysql_client" -h127.0.0.1 -P3306 -uwaymark -pwaymark waymark_test -e 'select 1'; }
if ! mysql_login >/dev/null 2>&1; then
  echo 'services: creating the MariaDB account and database'
  retry as_root "$mysql_client" -uroot -e 'select 1'
  as_root "$mysql_client" -uroot <<'SQL'
create database if not exists waymark_test character set utf8mb4;
create user if not exists 'waymark'@'%' identified by 'waymark';
create user if not exists 'waymark'@'localhost' identified by 'waymark';
grant all privileges on `waymark%`.* to 'waymark'@'%';
grant all privileges on `waymark%`.* to 'waymark'@'localhost';
SQL
fi

retry postgres_login
retry mysql_login
echo 'services: PostgreSQL, MariaDB and Redis are ready'

#!/bin/sh
# What the public image's entry point does with these variables: a cluster with one superuser and its database.
set -eu
data=/var/lib/postgresql/data
programs=/usr/lib/postgresql/15/bin
as_postgres() { setpriv --reuid postgres --regid postgres --init-groups "$@"; }
mkdir -p "$data" /var/run/postgresql
chown postgres:postgres "$data" /var/run/postgresql
chmod 700 "$data"
if [ ! -s "$data/PG_VERSION" ]; then
  umask 077
  printf '%s' "$POSTGRES_PASSWORD" >/tmp/password
  chown postgres /tmp/password
  as_postgres "$programs/initdb" -D "$data" -U "$POSTGRES_USER" --pwfile /tmp/password --auth scram-sha-256 -E UTF8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_USER\"" | as_postgres "$programs/postgres" --single -D "$data" postgres
fi
exec setpriv --reuid postgres --regid postgres --init-groups "$programs/postgres" -D "$data" -c 'listen_addresses=*'

#!/bin/sh
# A server that binds to every address still has to tell its own to the other services.
set -eu
: "${TEMPORAL_BROADCAST_ADDRESS:=$(getent hosts "$(hostname)" | awk '{ print $1; exit }')}"
export TEMPORAL_BROADCAST_ADDRESS
exec temporal-server

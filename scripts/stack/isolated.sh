# Runs a command where nothing of the machine's own containers is seen, and nothing is left of ours: with namespaces of its
# own for mounts and processes. This shell is their first process, and collects those that lost their parent.
#
#   isolated.sh FOLDER own|machine COMMAND...
#
# With `own`, the network is an empty one: every port is free. Names that the engine does not know are asked of this address, at
# which `name-server.ts` answers.
set -eu
folder=$1 network=$2
shift 2
# What engines write down about containers and networks that run, wherever their store is.
for name in containers netns runc; do
  mkdir -p "/run/$name"
  mount -t tmpfs tmpfs "/run/$name"
done
if [ "$network" = own ]; then
  ip link set lo up
  echo 'nameserver 127.0.0.1' >"$folder/resolv.conf"
  mount --bind "$folder/resolv.conf" "$(readlink -f /etc/resolv.conf)"
fi
code=0
"$@" || code=$?
exit "$code"

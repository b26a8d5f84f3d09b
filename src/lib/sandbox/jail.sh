# Builds the root folder of a jail and starts a program in it. Two parts, because the first needs to read paths that only
# root may read, and the second runs as the user that the code will have. Nothing of it outlives its mount namespace.
#
#   jail.sh mounts ROOT LISTS COMMAND…   mounts what fstab lists on a new, empty root folder
#   jail.sh enter ROOT LIBRARIES COMMAND…   makes it the only folder that there is, and runs the command in /work
set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
part=$1 root=$2 given=$3
shift 3
case $part in
  mounts)
    # No programs from memory, in this process namespace and those inside of it. Only root may say so, from Linux 6.3.
    { echo 2 > /proc/sys/vm/memfd_noexec; } 2> /dev/null || true
    mount -n -t tmpfs -o size=1m,mode=755,nosuid,nodev tmpfs "$root"
    cd "$root"
    mkdir -p old work proc
    while IFS= read -r folder; do mkdir -p "$folder"; done < "$given/folders"
    while IFS= read -r file; do : > "$file"; done < "$given/files"
    mount -n -a --fstab "$given/fstab"
    cd /
    ;;
  enter)
    # The name of the machine is nobody's business.
    hostname jail 2> /dev/null || true
    mount -n --rbind "$root" "$root"
    cd "$root"
    mount -n --rbind /proc proc
    mount -n -t tmpfs -o size="$FILE_BYTES",mode=700,nosuid,nodev,noexec tmpfs work
    mount -n -o remount,bind,ro,nosuid,nodev "$root"
    # No namespaces inside of this one, where the kernel lets us say so.
    { echo 0 > /proc/sys/user/max_user_namespaces; } 2> /dev/null || true
    pivot_root . old
    cd /work
    # umount reads /proc, and so it has to go last and together with the old root.
    LD_LIBRARY_PATH=$given /old/usr/bin/umount -n -l /old /proc
    unset FILE_BYTES
    ;;
esac
unset PWD OLDPWD
exec "$@"

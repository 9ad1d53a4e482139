#!/usr/bin/env bash
# Builds the image that the tests of the sandbox run in, out of Debian's packages: nothing is pulled from a
# registry, nothing is installed on this machine, and no script of a package is run.
#
#   scripts/images/build.sh            builds localhost/wink-sandbox:1 unless it is there already
#   scripts/images/build.sh --small    builds localhost/wink-sandbox-small:1, with busybox alone
#
# Needs an apt with lists of packages, dpkg-deb and podman. ENGINE names another engine.
set -euo pipefail

engine=${ENGINE:-podman}
packages=(dash busybox-static util-linux coreutils findutils grep sed diffutils python3 git)
tag=localhost/wink-sandbox:1
if [[ ${1:-} == --small ]]; then
  packages=(busybox-static)
  tag=localhost/wink-sandbox-small:1
fi

# The same recipe and the same packages make the same image, so it is made once.
label=wink.recipe
recipe=$(cat "${BASH_SOURCE[0]}" <(printf '%s\n' "${packages[@]}") | sha256sum | cut -c1-16)
made=$("$engine" image inspect --format "{{index .Labels \"$label\"}}" "$tag" 2>/dev/null || true)
if [[ $made == "$recipe" ]]; then
  echo "$tag is there already"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$work/debs/partial" "$root"
# What a user of the container may enter; mktemp makes it private.
chmod 755 "$root"
for folder in bin sbin lib lib64; do
  mkdir -p "$root/usr/$folder"
  ln -s "usr/$folder" "$root/$folder"
done
mkdir -p "$root"/{dev,etc,proc,root,run,sys,tmp,var,workspace}
chmod 1777 "$root/tmp"

# As if nothing were installed, so that everything the packages need is fetched.
: >"$work/status"
lists=()
fetch() {
  apt-get -qq -y "${lists[@]}" -o Dir::State::status="$work/status" -o Dir::Cache::archives="$work/debs" \
    -o APT::Sandbox::User=root -o Debug::NoLocking=1 \
    --no-install-recommends --download-only install "${packages[@]}" >/dev/null
}
if ! fetch 2>/dev/null; then
  # The lists of this machine are empty or old, and not ours to change.
  mkdir -p "$work/lists/partial"
  lists=(-o Dir::State::lists="$work/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
  apt-get -qq "${lists[@]}" -o APT::Sandbox::User=root -o Debug::NoLocking=1 update
  fetch
fi

for file in "$work"/debs/*.deb; do
  dpkg-deb --fsys-tarfile "$file" | tar -x -C "$root" --keep-directory-symlink --no-same-owner \
    --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/info/*' \
    --exclude='./usr/share/locale/*' --exclude='./usr/share/perl/*' --exclude='./usr/lib/*/perl*' \
    --exclude='./usr/share/bash-completion/*'
done
# Nothing in the image may lend rights.
find "$root" -xdev -perm /6000 -type f -exec chmod a-s {} +

# busybox brings every command that no package did.
mapfile -t applets < <("$root/bin/busybox" --list)
for applet in "${applets[@]}"; do
  [[ -e $root/usr/bin/$applet || -L $root/usr/bin/$applet || -e $root/usr/sbin/$applet ]] ||
    ln -s /bin/busybox "$root/usr/bin/$applet"
done

printf 'root:x:0:0:root:/root:/bin/sh\nsandbox:x:65532:65532:sandbox:/tmp:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nsandbox:x:65532:\n' >"$root/etc/group"

tar -C "$root" --numeric-owner --owner=0 --group=0 -c . |
  "$engine" import --quiet --change 'CMD ["/bin/sh"]' --change 'ENV PATH=/usr/bin:/bin:/usr/sbin:/sbin' \
    --change "LABEL $label=$recipe" - "$tag" >/dev/null
echo "$tag is built"

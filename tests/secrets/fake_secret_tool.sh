#!/bin/sh
# Stands in for secret-tool: keeps values in files below $FAKE_KEYRING, and its own arguments in a list.
echo "$*" >>"$FAKE_KEYRING/arguments"
[ -e "$FAKE_KEYRING/locked" ] && exit 1
verb=$1
shift
[ "$verb" = store ] && shift 2
file="$FAKE_KEYRING/$(printf '%s' "$*" | sha256sum | cut -c1-32)"
case $verb in
store) cat >"$file" ;;
lookup) [ -e "$file" ] && cat "$file" ;;
clear) rm -f "$file" ;;
esac

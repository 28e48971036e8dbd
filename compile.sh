#!/usr/bin/env bash
# Makes the one-file program: dist/handlerd for this machine, or dist/handlerd-<target> for another.
#
#   ./compile.sh                                        this machine
#   ./compile.sh --target aarch64-apple-darwin …        release targets; --target all makes the four
#
# DENO names the Deno to use (else the one on the search path), DENORT_BIN the runtime that `deno compile` builds on
# (else Deno fetches it). The code is bundled first: a hundred modules cost half a second at start, one file a part
# costs nothing until that part is asked for, and less text costs less time to read. OTEL_DENO=true makes a program
# that sends OpenTelemetry; Deno settles that when it compiles.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

deno=${DENO:-deno}
targets=()
all=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-apple-darwin aarch64-apple-darwin)
while [ $# -gt 0 ]; do
  case $1 in
    --target) targets+=("${2:?--target takes a name, or all}") && shift 2 ;;
    *) echo "usage: compile.sh [--target <name>|all]…" >&2 && exit 2 ;;
  esac
done
[ "${targets[*]-}" != all ] || targets=("${all[@]}")

host=$("$deno" eval 'console.log(Deno.build.target)')
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

say() { printf '%s\n' "$*" >&2; }

say "preparing connectors, guest programs and the page"
"$deno" run --quiet -A tools/prepare.ts >&2
"$deno" run --quiet -A tools/pack.ts "$stage/shipped.pack" >&2
cp -R interfaces "$stage/interfaces"

say "bundling with $("$deno" --version | head -n 1)"
"$deno" bundle --quiet --platform deno --code-splitting --outdir "$stage/src/program" main.ts >&2

# No code cache: Deno would keep it under a name in /tmp that anybody on the machine can take first.
compile() {
  local target=$1 output=$2 base=() carried=()
  [ "$target" = "$host" ] || base=(env -u DENORT_BIN)
  [[ $target = *-linux-* ]] || carried=(--include shipped.pack)
  (cd "$stage" && ${base[@]+"${base[@]}"} "$deno" compile --quiet -A --no-check --no-config --no-lock --no-code-cache \
    --target "$target" --include interfaces ${carried[@]+"${carried[@]}"} --output "$output" src/program/main.js) >&2
  [ -n "${carried[*]-}" ] || "$deno" run --quiet -A tools/carry.ts "$output" "$stage/shipped.pack" >&2
}

mkdir -p dist
if [ ${#targets[@]} -eq 0 ]; then
  compile "$host" "$PWD/dist/handlerd"
  for name in handler handler-service handler-call handler-llm; do ln -sfn handlerd "dist/$name"; done
else
  for target in "${targets[@]}"; do
    say "compiling for $target"
    compile "$target" "$PWD/dist/handlerd-$target"
  done
fi

sum=(sha256sum)
command -v sha256sum >/dev/null || sum=(shasum -a 256)
(
  cd dist
  files=()
  for file in handlerd handlerd-*; do [ ! -f "$file" ] || files+=("$file"); done
  "${sum[@]}" "${files[@]}" > SHA256SUMS
  for file in "${files[@]}"; do printf '%s  %s MB\n' "dist/$file" "$(($(wc -c < "$file") / 1000000))"; done
)

#!/usr/bin/env bash
# Installs the peers of the threads' bench under $TURN_PEERS_HOME. Safe to run again. PostgreSQL itself comes from the
# system (apt-get install postgresql); without it DBOS is left out.
set -euo pipefail
home=${TURN_PEERS_HOME:-$HOME/.cache/handler-bench-peers/turns}
mkdir -p "$home"
[ -e "$home/package.json" ] || echo '{"private":true,"type":"module"}' >"$home/package.json"
cd "$home"
timeout "${PEERS_LIMIT:-480}" npm install --no-audit --no-fund --silent @langchain/langgraph@1.7.3 \
  @langchain/langgraph-checkpoint-sqlite@1.0.4 @langchain/core @dbos-inc/dbos-sdk@5.3.0 node@22

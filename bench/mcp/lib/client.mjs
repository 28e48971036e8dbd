// Raw JSON-RPC clients, as thin as can be: the same request bytes and the same answer check for every peer.
import net from "node:net";
import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { Buffer } from "node:buffer";
import process from "node:process";

export const PROTOCOL = "2025-06-18";
const init = {
  protocolVersion: PROTOCOL,
  capabilities: {},
  clientInfo: { name: "bench", version: "1.0.0" },
};

/** The id of an answer without parsing a large one: it stands within the first or the last bytes. */
function idOf(line) {
  const length = line.length;
  if (length < 65536) {
    const message = JSON.parse(line);
    if (message.id === undefined || message.method !== undefined) return [undefined, message];
    return [message.id, message];
  }
  const near = line.subarray(0, 160).toString("latin1") + " " +
    line.subarray(length - 160).toString("latin1");
  const found = near.match(/"id":\s*(\d+)/);
  return [found ? Number(found[1]) : undefined, undefined];
}

class Calls {
  constructor() {
    this.next = 1;
    this.waiting = new Map();
    this.stray = 0;
    this.notices = [];
  }
  settle(line) {
    const [id, message] = idOf(line);
    const entry = id === undefined ? undefined : this.waiting.get(id);
    if (!entry) {
      this.stray++;
      if (message?.method) this.notices.push(message);
      if (message?.method && message.id !== undefined) this.reply?.(message);
      return;
    }
    this.waiting.delete(id);
    entry.resolve({ size: line.length, message });
  }
  fail(error) {
    for (const entry of this.waiting.values()) entry.reject(error);
    this.waiting.clear();
  }
}

/** Cuts bytes into lines and settles each. */
function linesInto(calls) {
  let held = [];
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const piece = chunk.subarray(from, at);
      const line = held.length ? Buffer.concat([...held, piece]) : piece;
      held = [];
      from = at + 1;
      if (line.length > 1) calls.settle(line);
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
  };
}

/** MCP with a message a line, over whatever carries lines. */
class LineClient extends Calls {
  carry(readable, writable) {
    this.writable = writable;
    readable.on("data", linesInto(this));
    writable.on("error", () => {});
    this.reply = ({ id, method }) =>
      this.notify({ jsonrpc: "2.0", id, result: method === "roots/list" ? { roots: [] } : {} });
  }
  send(id, prefix, suffix) {
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.writable.write(prefix + id + suffix + "\n");
    });
  }
  notify(message) {
    this.writable.write(JSON.stringify(message) + "\n");
  }
  async open() {
    const answer = await this.request("initialize", init);
    this.notify({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }
  request(method, params) {
    return this.send(
      this.next++,
      '{"jsonrpc":"2.0","id":',
      `,"method":"${method}","params":${JSON.stringify(params)}}`,
    );
  }
  close() {
    this.writable.end();
  }
}

/** A peer spoken to on its own stdin and stdout. */
export class StdioClient extends LineClient {
  constructor({ command, env, cwd, log }) {
    super();
    this.child = spawn(command[0], command.slice(1), {
      env: { ...process.env, ...env },
      cwd,
      detached: true,
      stdio: ["pipe", "pipe", log ? openSync(log, "a") : "ignore"],
    });
    this.pid = this.child.pid;
    this.carry(this.child.stdout, this.child.stdin);
    this.child.on("exit", (code) => this.fail(new Error(`peer exited ${code}`)));
    this.child.on("error", (error) => this.fail(error));
  }
}

/** A peer spoken to on a unix socket, a message a line. */
export class SocketClient extends LineClient {
  constructor({ path }) {
    super();
    const socket = net.connect(path);
    this.carry(socket, socket);
    socket.on("close", () => this.fail(new Error("connection closed")));
  }
}

/** One keep-alive HTTP/1.1 connection; answers as JSON or as a stream of events. */
class Connection {
  constructor(port) {
    this.socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    this.buffer = Buffer.alloc(0);
    this.chunks = [];
    this.length = 0;
    this.socket.on("data", (chunk) => {
      this.chunks.push(chunk);
      this.length += chunk.length;
      this.pump();
    });
    this.socket.on("error", (error) => this.end(error));
    this.socket.on("close", () => this.end(new Error("connection closed")));
    this.reset();
  }
  reset() {
    this.state = "head";
    this.need = 0;
    this.events = "";
    this.body = [];
    this.done = undefined;
  }
  end(error) {
    this.dead = true;
    const done = this.done;
    this.done = undefined;
    done?.reject(error);
  }
  exchange(bytes) {
    return new Promise((resolve, reject) => {
      this.reset();
      this.done = { resolve, reject };
      this.socket.write(bytes);
    });
  }
  take() {
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0] ?? Buffer.alloc(0);
  }
  drop(count) {
    const whole = this.take();
    this.chunks = count < whole.length ? [whole.subarray(count)] : [];
    this.length -= count;
  }
  pump() {
    for (;;) {
      if (this.state === "head") {
        const whole = this.take();
        const at = whole.indexOf("\r\n\r\n");
        if (at < 0) return;
        const head = whole.subarray(0, at).toString("latin1");
        this.drop(at + 4);
        this.status = Number(head.slice(9, 12));
        this.session = head.match(/\r\nmcp-session-id: *(\S+)/i)?.[1];
        this.isEvents = /\r\ncontent-type: *text\/event-stream/i.test(head);
        const chunked = /\r\ntransfer-encoding: *chunked/i.test(head);
        const size = head.match(/\r\ncontent-length: *(\d+)/i);
        if (chunked) this.state = "size";
        else if (size) {
          this.state = "fixed";
          this.need = Number(size[1]);
        } else {
          this.state = "fixed";
          this.need = 0;
        }
      } else if (this.state === "fixed") {
        if (this.length < this.need) return;
        if (this.need) this.body.push(this.take().subarray(0, this.need));
        this.drop(this.need);
        return this.finish();
      } else if (this.state === "size") {
        const whole = this.take();
        const at = whole.indexOf("\r\n");
        if (at < 0) return;
        this.need = parseInt(whole.subarray(0, at).toString("latin1"), 16);
        this.drop(at + 2);
        this.state = "chunk";
      } else {
        if (this.length < this.need + 2) return;
        const last = this.need === 0;
        if (!last) this.body.push(Buffer.from(this.take().subarray(0, this.need)));
        this.drop(this.need + 2);
        if (last) return this.finish();
        this.state = "size";
      }
    }
  }
  finish() {
    const done = this.done;
    this.done = undefined;
    this.state = "head";
    done?.resolve({
      status: this.status,
      session: this.session,
      events: this.isEvents,
      body: this.body.length === 1 ? this.body[0] : Buffer.concat(this.body),
    });
  }
}

/** A peer spoken to over Streamable HTTP, a pool of keep-alive connections, one POST a request. */
export class HttpClient extends Calls {
  constructor({ port, path = "/mcp", headers = {} }) {
    super();
    Object.assign(this, { port, path, free: [], inUse: new Set() });
    this.extra = Object.entries(headers).map(([k, v]) => `${k}: ${v}\r\n`).join("");
    this.session = "";
  }
  async post(body) {
    let connection;
    while ((connection = this.free.pop()) && connection.dead);
    connection ??= new Connection(this.port);
    const bytes = Buffer.from(body);
    const head =
      `POST ${this.path} HTTP/1.1\r\nHost: 127.0.0.1:${this.port}\r\nAccept: application/json, text/event-stream\r\n` +
      `Content-Type: application/json\r\nMCP-Protocol-Version: ${PROTOCOL}\r\n${this.extra}${this.session}Content-Length: ${bytes.length}\r\n\r\n`;
    const whole = bytes.length < 65536 ? head + body : Buffer.concat([Buffer.from(head), bytes]);
    const once = (over) => {
      this.inUse.add(over);
      return over.exchange(whole).finally(() => this.inUse.delete(over));
    };
    let answer;
    try {
      answer = await once(connection);
    } catch (error) {
      // A server may close an idle connection just as it is used again: once more on a new one.
      if (!connection.used || connection.closing) throw error;
      answer = await once(connection = new Connection(this.port));
    }
    connection.used = true;
    if (!connection.dead) this.free.push(connection);
    return answer;
  }
  async send(id, prefix, suffix) {
    const answer = await this.post(prefix + id + suffix);
    if (answer.status >= 300) throw new Error(`HTTP ${answer.status} ${answer.body.subarray(0, 200)}`);
    let result;
    const lines = answer.events ? dataLines(answer.body) : [answer.body];
    for (const line of lines) {
      const [found, message] = idOf(line);
      if (found === id) result = { size: line.length, message };
      else if (message) this.notices.push(message);
    }
    if (!result) throw new Error(`no answer for ${id}: ${answer.body.subarray(0, 200)}`);
    result.session = answer.session;
    return result;
  }
  async notify(message) {
    return await this.post(JSON.stringify(message));
  }
  request(method, params) {
    return this.send(
      this.next++,
      '{"jsonrpc":"2.0","id":',
      `,"method":"${method}","params":${JSON.stringify(params)}}`,
    );
  }
  async open() {
    const answer = await this.request("initialize", init);
    if (answer.session) this.session = `Mcp-Session-Id: ${answer.session}\r\n`;
    await this.notify({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }
  close() {
    for (const connection of this.free) connection.socket.destroy();
  }
}

function dataLines(body) {
  const lines = [];
  let from = 0;
  while (from < body.length) {
    let at = body.indexOf(10, from);
    if (at < 0) at = body.length;
    if (body[from] === 100 && body.subarray(from, from + 5).toString("latin1") === "data:") {
      const line = body.subarray(from + 5, at);
      if (line.length > 2) lines.push(line);
    }
    from = at + 1;
  }
  return lines;
}

/** A peer on the older HTTP+SSE transport: one event stream down, one POST a message up. */
export class SseClient extends HttpClient {
  async open() {
    const socket = net.connect({ port: this.port, host: "127.0.0.1", noDelay: true });
    this.stream = socket;
    socket.write(
      `GET ${
        this.stream_path ?? this.path
      } HTTP/1.1\r\nHost: 127.0.0.1:${this.port}\r\nAccept: text/event-stream\r\n${this.extra}\r\n`,
    );
    let resolve;
    const endpoint = new Promise((done, fail) => {
      resolve = done;
      setTimeout(() => {
        fail(new Error("no endpoint event"));
        if (!this.ready) socket.destroy();
      }, 2000).unref();
    });
    let head = true, raw = [], text = [], event = "";
    const line = (bytes) => {
      if (bytes.length && bytes.at(-1) === 13) bytes = bytes.subarray(0, -1);
      const start = bytes.subarray(0, 6).toString("latin1");
      if (start.startsWith("event:")) event = bytes.subarray(6).toString().trim();
      else if (start.startsWith("data:")) {
        if (event === "endpoint") resolve(bytes.subarray(5).toString().trim());
        else this.settle(bytes.subarray(5));
      }
    };
    const feed = (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        line(text.length ? Buffer.concat([...text, chunk.subarray(from, at)]) : chunk.subarray(from, at));
        text = [];
        from = at + 1;
      }
      if (from < chunk.length) text.push(chunk.subarray(from));
    };
    socket.on("data", (chunk) => {
      raw.push(chunk);
      for (;;) {
        const whole = raw.length > 1 ? Buffer.concat(raw) : raw[0];
        const at = whole.indexOf("\r\n");
        if (head) {
          const end = whole.indexOf("\r\n\r\n");
          if (end < 0) {
            raw = [whole];
            return;
          }
          head = false;
          raw = [whole.subarray(end + 4)];
        } else {
          if (at < 0) {
            raw = [whole];
            return;
          }
          const need = parseInt(whole.subarray(0, at).toString("latin1"), 16);
          if (whole.length < at + 4 + need) {
            raw = [whole];
            return;
          }
          feed(whole.subarray(at + 2, at + 2 + need));
          raw = [whole.subarray(at + 4 + need)];
        }
        if (!raw[0].length) {
          raw = [];
          return;
        }
      }
    });
    socket.on("close", () => this.fail(new Error("event stream closed")));
    socket.on("error", (error) => this.fail(error));
    this.stream_path ??= this.path;
    const path = await endpoint;
    this.ready = true;
    this.path = path.replace(/^https?:\/\/[^/]+/, "");
    return await super.open();
  }
  async send(id, prefix, suffix) {
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    answer.catch(() => {});
    const posted = await this.post(prefix + id + suffix);
    if (posted.status >= 300) throw new Error(`HTTP ${posted.status} ${posted.body.subarray(0, 200)}`);
    return await answer;
  }
  close() {
    super.close();
    this.stream?.destroy();
  }
}

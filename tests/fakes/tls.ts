/**
 * A small certificate authority and a leaf for a server of this machine, made anew with WebCrypto each time: ECDSA
 * P-256, X.509 v3, as RFC 5280 lays it out. A self-signed leaf would not do: Deno 2.6 refuses one as its own authority.
 * @module
 */
import { Buffer } from "node:buffer";

/** What a TLS server and those who trust it need, as PEM. */
export interface TestCertificates {
  /** The authority's certificate, for whoever connects. */
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
}

type Bytes = Uint8Array<ArrayBuffer>;

const CURVE = { name: "ECDSA", namedCurve: "P-256" };
const ECDSA_SHA256 = tlv(0x30, oid("1.2.840.10045.4.3.2"));
const DAY = 24 * 60 * 60 * 1000;

/** Makes an authority and a certificate for `names` (host names or IPv4 addresses), good for a week. */
export async function makeCertificates(names: readonly string[]): Promise<TestCertificates> {
  const authority = await crypto.subtle.generateKey(CURVE, true, ["sign", "verify"]);
  const server = await crypto.subtle.generateKey(CURVE, true, ["sign", "verify"]);
  const caName = "Handler test authority";
  const keyId = crypto.getRandomValues(new Uint8Array(20));
  const caExtensions = [
    extension("2.5.29.14", false, tlv(0x04, keyId)),
    extension("2.5.29.19", true, tlv(0x30, tlv(0x01, bytes(0xff)), tlv(0x02, bytes(0)))), // CA:TRUE, no further CA
    extension("2.5.29.15", true, tlv(0x03, bytes(1, 0x06))), // may sign certificates and lists
  ];
  const leafExtensions = [
    extension("2.5.29.35", false, tlv(0x30, tlv(0x80, keyId))), // the authority's key
    extension("2.5.29.19", true, tlv(0x30)), // CA:FALSE
    extension("2.5.29.37", false, tlv(0x30, oid("1.3.6.1.5.5.7.3.1"))), // a TLS server
    extension("2.5.29.17", false, tlv(0x30, ...names.map(alternativeName))),
  ];
  const signer = { name: caName, key: authority.privateKey };
  const ca = await certificate(signer, caName, authority.publicKey, caExtensions);
  const leaf = await certificate(signer, names[0] ?? "localhost", server.publicKey, leafExtensions);
  const key = new Uint8Array(await crypto.subtle.exportKey("pkcs8", server.privateKey));
  return {
    caPem: pem("CERTIFICATE", ca),
    certPem: pem("CERTIFICATE", leaf),
    keyPem: pem("PRIVATE KEY", key),
  };
}

async function certificate(
  signer: { readonly name: string; readonly key: CryptoKey },
  subject: string,
  key: CryptoKey,
  extensions: readonly Bytes[],
): Promise<Bytes> {
  const now = Date.now();
  const body = tlv(
    0x30,
    tlv(0xa0, tlv(0x02, bytes(2))), // version 3
    tlv(0x02, concat([bytes(1), crypto.getRandomValues(new Uint8Array(15))])), // serial number, positive
    ECDSA_SHA256,
    commonName(signer.name),
    tlv(0x30, utcTime(now - DAY), utcTime(now + 7 * DAY)),
    commonName(subject),
    new Uint8Array(await crypto.subtle.exportKey("spki", key)),
    tlv(0xa3, tlv(0x30, ...extensions)),
  );
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, signer.key, body);
  const r_s = new Uint8Array(signature);
  const value = tlv(0x30, integer(r_s.slice(0, 32)), integer(r_s.slice(32)));
  return tlv(0x30, body, ECDSA_SHA256, tlv(0x03, bytes(0), value));
}

function extension(id: string, critical: boolean, value: Bytes): Bytes {
  const parts = critical ? [oid(id), tlv(0x01, bytes(0xff))] : [oid(id)];
  return tlv(0x30, ...parts, tlv(0x04, value));
}

function alternativeName(name: string): Bytes {
  const address = /^\d+\.\d+\.\d+\.\d+$/.test(name);
  return address ? tlv(0x87, bytes(...name.split(".").map(Number))) : tlv(0x82, ascii(name));
}

function commonName(name: string): Bytes {
  return tlv(0x30, tlv(0x31, tlv(0x30, oid("2.5.4.3"), tlv(0x0c, ascii(name)))));
}

function utcTime(at: number): Bytes {
  const digits = new Date(at).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return tlv(0x17, ascii(digits + "Z"));
}

/** An unsigned big-endian number in its shortest form, positive. */
function integer(value: Bytes): Bytes {
  const first = value.findIndex((byte) => byte !== 0);
  const short = first < 0 ? bytes(0) : value.slice(first);
  return tlv(0x02, (short[0] ?? 0) > 127 ? concat([bytes(0), short]) : short);
}

function oid(dotted: string): Bytes {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tlv(0x06, bytes(first * 40 + second, ...rest.flatMap(base128)));
}

function base128(value: number): number[] {
  const digits = [value & 127];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 127) | 128);
  return digits;
}

/** One DER value: tag, length, content. */
function tlv(tag: number, ...parts: readonly Bytes[]): Bytes {
  const content = concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return concat([bytes(tag, ...length), content]);
}

function bytes(...values: readonly number[]): Bytes {
  return Uint8Array.from(values);
}

function ascii(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function concat(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function pem(label: string, der: Bytes): string {
  const lines = Buffer.from(der).toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

/** A reference to a secret, as configuration holds it; never the value (contract F). */
export type SecretReference =
  | { readonly kind: "command"; readonly argv: readonly string[] }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "env"; readonly name: string }
  | { readonly kind: "store"; readonly name: string };

/** What a reference led to: bytes, or why there are none in words that betray nothing. */
export type Found = { readonly bytes: Uint8Array } | { readonly why: string; readonly hint?: string };

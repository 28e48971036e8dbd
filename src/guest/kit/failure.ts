/** A failure that the interface declares; made by `call.fail` or thrown where there is no call at hand. */
export class ConnectorFailure extends Error {
  override readonly name = "ConnectorFailure";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Ends the call under way with one of the interface's error codes and a message for the agent. */
export function fail(code: string, message: string): never {
  throw new ConnectorFailure(code, message);
}

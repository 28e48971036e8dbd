import { type Json, newId } from "../../base/mod.ts";
import type { AnswerPiece } from "../ports.ts";
import type { LoopPorts } from "./ports.ts";

/** What a model says while it says it, told to those who watch under the id that the message will have. */
export class Saying {
  readonly id: string = newId();
  readonly #ports: Pick<LoopPorts, "delta" | "monotonic">;
  #told = false;
  #firstAt: number | undefined;

  constructor(ports: Pick<LoopPorts, "delta" | "monotonic">) {
    this.#ports = ports;
  }

  /** When the first piece came, by the ports' clock. */
  get firstAt(): number | undefined {
    return this.#firstAt;
  }

  readonly piece = ({ at, text }: AnswerPiece): void => {
    if (at === 0 && text === "") return this.void();
    this.#firstAt ??= this.#ports.monotonic();
    this.#tell({ type: "piece", at, text });
  };

  /** All of it; the message follows. */
  whole(text: string): void {
    this.#tell({ type: "text", text });
  }

  /** The message is there. */
  stored(): void {
    this.#told = false;
  }

  /** What was told so far will be no message. */
  void(): void {
    if (this.#told) this.#tell({ type: "void" });
    this.#told = false;
  }

  #tell(data: { readonly [key: string]: Json }): void {
    this.#told = true;
    this.#ports.delta({ ...data, message: this.id });
  }
}

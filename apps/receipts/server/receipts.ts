import { endingOf, mediaTypeOf } from "./media_type.ts";
import { parseReceipt } from "./parse.ts";
import { type Call, type Database, Refusal, ServiceError } from "./vendor/handler_app.js";

/** What reading needs of the world. */
export interface Reading {
  /** The app's data folder; files lie below it. */
  folder(): string;
  /** The text of a file, by its path below the folder. */
  readPages(path: string): Promise<string>;
}

interface Line {
  readonly label: string;
  readonly amount: number;
}

interface ReceiptRow {
  readonly id: number;
  /** Below the data folder. */
  readonly file: string;
  readonly name: string;
  readonly mediaType: string;
  readonly addedAt: string;
  readonly problem: string | null;
  readonly shop: string | null;
  readonly currency: string | null;
  readonly total: number | null;
  readonly tax: number | null;
}

/** A receipt as the page gets it; amounts in hundredths. */
export interface Receipt extends Omit<ReceiptRow, "file"> {
  readonly lines: readonly Line[];
}

const COLUMNS =
  "id, file, name, media_type AS mediaType, added_at AS addedAt, problem, shop, currency, total, tax";
/** What the service takes. */
const MOST_BYTES = 20_000_000;
const NOT_READ = "it is not read yet";

const PROBLEMS: Readonly<Record<string, string>> = {
  unsupported_format: "The file cannot be read: it is damaged, or no picture and no PDF.",
  too_large: "The file is too large.",
  unavailable: "Reading does not work at the moment. Try again later.",
  limit: "Too many receipts are being read. Try again in a minute.",
};

/** A person's receipts: files in the data folder, what they say in the database. */
export class Receipts {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  list({ db, person }: Call): readonly Receipt[] {
    const sql = `SELECT ${COLUMNS} FROM receipts WHERE person = ? ORDER BY added_at DESC, id DESC`;
    return db.all<ReceiptRow>(sql, person).map((row) => withLines(db, row));
  }

  /** Takes a file and reads it. It is kept even where reading fails; sent twice it is kept once. */
  async add(call: Call): Promise<Receipt> {
    const { db, person, idempotencyKey = null } = call;
    const known = idempotencyKey === null ? undefined : db.get<ReceiptRow>(
      `SELECT ${COLUMNS} FROM receipts WHERE person = ? AND sent_as = ?`,
      person,
      idempotencyKey,
    );
    if (known) return withLines(db, known);
    const bytes = await call.bytes(MOST_BYTES);
    const mediaType = mediaTypeOf(bytes);
    if (!mediaType) throw new Refusal(415, "Only photos (JPEG, PNG, TIFF) and PDFs can be read.");
    const name = (call.url.searchParams.get("name") ?? "").trim().slice(0, 200) || "receipt";
    const file = await this.#write(bytes, endingOf(mediaType));
    const sql = `INSERT INTO receipts (person, file, name, media_type, added_at, problem, sent_as)
      VALUES (?, ?, ?, ?, ?, ?, ?)`;
    const now = new Date().toISOString();
    const { id } = db.run(sql, person, file, name, mediaType, now, NOT_READ, idempotencyKey);
    return await this.#read(db, id);
  }

  async readAgain(call: Call): Promise<Receipt> {
    return await this.#read(call.db, this.#find(call).id);
  }

  async file(call: Call): Promise<Response> {
    const { file, mediaType } = this.#find(call);
    const { readable } = await Deno.open(`${this.#reading.folder()}/${file}`);
    return new Response(readable, {
      headers: {
        "content-type": mediaType,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      },
    });
  }

  /** Puts right what was read wrong: the shop, the sum. */
  async correct(call: Call): Promise<Receipt> {
    const { id } = this.#find(call);
    const { shop, total } = await call.json() as { readonly shop?: unknown; readonly total?: unknown };
    if (typeof shop !== "string" || shop.length > 200) throw new Refusal(400, "The shop is a short text.");
    if (!Number.isSafeInteger(total)) throw new Refusal(400, "The sum is a number of hundredths.");
    call.db.run(
      "UPDATE receipts SET shop = ?, total = ? WHERE id = ?",
      shop.trim() || null,
      Number(total),
      id,
    );
    return receiptOf(call.db, id);
  }

  async remove(call: Call): Promise<void> {
    const { id, file } = this.#find(call);
    call.db.run("DELETE FROM receipts WHERE id = ?", id);
    await Deno.remove(`${this.#reading.folder()}/${file}`).catch(() => {});
  }

  #find({ db, person, params }: Call): ReceiptRow {
    const sql = `SELECT ${COLUMNS} FROM receipts WHERE id = ? AND person = ?`;
    const found = db.get<ReceiptRow>(sql, params.id ?? "", person);
    if (!found) throw new Refusal(404, "There is no such receipt; it may have been removed elsewhere.");
    return found;
  }

  async #read(db: Database, id: number): Promise<Receipt> {
    try {
      keep(db, id, await this.#reading.readPages(rowOf(db, id).file));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      console.error(`receipt ${id} was not read: ${error.code}: ${error.message}`);
      const problem = PROBLEMS[error.code] ?? PROBLEMS.unavailable!;
      db.run("UPDATE receipts SET problem = ? WHERE id = ?", problem, id);
    }
    return receiptOf(db, id);
  }

  /** Before the database knows of it, so that a row never points to a file that is not there. */
  async #write(bytes: Uint8Array, ending: string): Promise<string> {
    const file = `files/${crypto.randomUUID()}.${ending}`;
    await Deno.mkdir(`${this.#reading.folder()}/files`, { recursive: true });
    await Deno.writeFile(`${this.#reading.folder()}/${file}`, bytes);
    return file;
  }
}

function keep(db: Database, id: number, text: string): void {
  const { shop, currency, lines, total, tax } = parseReceipt(text);
  db.transaction(() => {
    const sql = "UPDATE receipts SET problem = NULL, shop = ?, currency = ?, total = ?, tax = ? WHERE id = ?";
    db.run(sql, shop, currency, total, tax, id);
    db.run("DELETE FROM lines WHERE receipt = ?", id);
    lines.forEach(({ label, amount }, index) =>
      db.run(
        "INSERT INTO lines (receipt, position, label, amount) VALUES (?, ?, ?, ?)",
        id,
        index,
        label,
        amount,
      )
    );
  });
}

function receiptOf(db: Database, id: number): Receipt {
  return withLines(db, rowOf(db, id));
}

function rowOf(db: Database, id: number): ReceiptRow {
  const row = db.get<ReceiptRow>(`SELECT ${COLUMNS} FROM receipts WHERE id = ?`, id);
  if (!row) throw new Refusal(404, "The receipt was removed while it was read.");
  return row;
}

function withLines(db: Database, { file: _, ...row }: ReceiptRow): Receipt {
  const sql = "SELECT label, amount FROM lines WHERE receipt = ? ORDER BY position";
  return { ...row, lines: db.all<Line>(sql, row.id).map(({ label, amount }) => ({ label, amount })) };
}

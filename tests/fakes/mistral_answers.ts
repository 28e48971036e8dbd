import { type Answers, answersFor } from "./mistral.ts";

/** What stands on the pages of `ocr/v1`'s fixtures, as the vendor would write it; the scanned invoice has its own file. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  "invoice.pdf": [
    "# Northgate Print & Copy\n\nInvoice number: INV-2024-0042\n\nDate: 12 February 2024\n\n" +
    "| 200 business cards | 48.00 |\n| --- | --- |\n| Setup | 15.00 |\n| VAT 20% | 12.60 |\n| **Total due GBP** | 75.60 |",
  ],
  "receipt.png": [
    "# RECEIPT\n\nCorner Bakery, 3 Mill Road\n\n2 loaves of bread 8.40\n\n1 apple cake 9.20\n\nSum 17.60",
  ],
  "three-pages.tiff": ["Alpha", "Bravo", "Charlie"].map((word) =>
    `# Page ${word}\n\nof a document with three pages`
  ),
  "rotated.pdf": ["Delivery note DN-5521\n\nSix boxes of paper\n\nReceived in good order"],
  "two-languages.pdf": [
    "Dear customer,\nyour order was delivered on Tuesday\nto the reception desk.",
    "Sehr geehrte Kundin,\ndie Größe der Lieferung stimmt.\nUnsere Straße ist gesperrt,\nbitte über den Hof fahren.",
  ],
  "empty-page.pdf": [""],
};

/** The fake vendor's table for the fixtures of `ocr/v1`, from the folder that holds them (`…/conformance`). */
export async function fixtureAnswers(folder: string): Promise<Answers> {
  const truth = await Deno.readTextFile(`${folder}/invoice.truth.txt`);
  const scans = ["invoice-scan.pdf", "invoice-scan.jpg"].map((name) => [name, [truth]] as const);
  const known = [...Object.entries(PAGES), ...scans];
  return answersFor(
    await Promise.all(
      known.map(async ([name, pages]) => [await Deno.readFile(`${folder}/${name}`), pages] as const),
    ),
  );
}

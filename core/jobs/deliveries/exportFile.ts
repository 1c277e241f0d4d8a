import type { Records } from "../../base/index.ts";

/** Returns the sealed file of an export as the ledger stores it while its messages may still be sent. */
export const exportContent = (bytes: Buffer): Readonly<Record<string, unknown>> => ({
  base64: bytes.toString("base64"),
});

/** Returns the file of an export; undefined once it has been removed from the catalog. */
export async function readExportFile(id: string, records: Records): Promise<Buffer | undefined> {
  const [event] = await records.find("exportevent", { id });
  const { base64 } = event?.content ?? {};
  return typeof base64 === "string" ? Buffer.from(base64, "base64") : undefined;
}

import type { Records } from "../../base/index.ts";

/**
 * Returns an export's file as the `content` member of a ledger entry. The ledger keeps it, encrypted, while messages of
 * the export may still be sent.
 */
export const exportContent = (bytes: Buffer): Readonly<Record<string, unknown>> => ({
  base64: bytes.toString("base64"),
});

/** Returns the file of an export; undefined once the file has been deleted from the catalog. */
export async function readExportFile(id: string, records: Records): Promise<Buffer | undefined> {
  const [event] = await records.find("exportevent", { id });
  const { base64 } = event?.content ?? {};
  return typeof base64 === "string" ? Buffer.from(base64, "base64") : undefined;
}

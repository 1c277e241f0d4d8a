import { isObject, type Records } from "../../base/index.ts";

/**
 * Returns the files of an export as the `content` member of a ledger entry. The ledger keeps them, encrypted, while
 * messages of the export may still be sent.
 */
export const exportContent = (files: readonly Buffer[]): Readonly<Record<string, unknown>> => ({
  files: files.map((bytes) => bytes.toString("base64")),
});

/** Returns the files of an export; undefined once they have been deleted from the catalog. */
export async function readExportFiles(
  id: string,
  records: Records,
): Promise<readonly Buffer[] | undefined> {
  const [event] = await records.find("exportevent", { id });
  const { content } = event ?? {};
  if (!isObject<"files" | "base64">(content)) return undefined;
  // Entries of earlier versions contain one file.
  const { files = [content.base64] } = content;
  const written = Array.isArray(files) ? files.filter((each) => typeof each === "string") : [];
  return written.length === 0 ? undefined : written.map((each) => Buffer.from(each, "base64"));
}

import { isList } from "../../api/index.ts";
import { writeNumber } from "../../language/index.ts";
import { sourceWords as words } from "./sourceWords.ts";

/** Returns the report of a synchronization in words. */
export function reportOf(report: Readonly<Record<string, unknown>>): string {
  if (report["synced"] !== true) return words.notSynced(String(report["reason"] ?? ""));
  const count = (member: string) => {
    const list = report[member];
    return isList(list) ? list.length : 0;
  };
  const said = (["added", "missing", "returned", "retyped"] as const)
    .filter((member) => count(member) > 0)
    .map((member) => words.changes[member](writeNumber(count(member))));
  return said.length === 0 ? words.unchanged : said.join(", ");
}

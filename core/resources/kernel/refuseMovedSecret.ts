import { ApiError, isObject, type Row, type Members } from "../../base/index.ts";
import { restoreSealed } from "./restoreSealed.ts";

interface SealedConfig {
  /** The sealed member that contains addresses and secrets. */
  readonly member: string;
  /**
   * Members of the sealed member that are neither secrets nor addresses. They are shown in responses, or the host never
   * sends them.
   */
  readonly harmless: readonly string[];
  /**
   * Members of the sealed member that are secrets but not addresses. All remaining members count as both secrets and
   * addresses.
   */
  readonly secrets: readonly string[];
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Normalizes a value, so that different spellings of a URL are equal. */
const normalized = (value: unknown): string | undefined =>
  typeof value === "string" && URL.canParse(value) ? new URL(value).href : JSON.stringify(value);

/**
 * Returns whether an update changes an address in a sealed config, or the `type` that decides how the address is used.
 * @throws {ApiError} SECRET_AGAIN if the update changes an address but does not contain every stored secret again
 */
export function refuseMovedSecret(
  row: Row & Members<"type">,
  given: Members<"type">,
  config: SealedConfig,
): boolean {
  const { member, harmless, secrets } = config;
  const stored = isObject(row[member]) ? row[member] : {};
  const restored = restoreSealed(row, given, member)[member];
  const next = Object.hasOwn(given, member) ? (isObject(restored) ? restored : {}) : stored;
  const isAddress = (name: string) => !harmless.includes(name) && !secrets.includes(name);
  const moved = [...new Set([...Object.keys(stored), ...Object.keys(next)])]
    .filter((name) => isAddress(name) && normalized(stored[name]) !== normalized(next[name]))
    .map((name) => `${member}.${name}`);
  if (given.type !== undefined && given.type !== row.type) moved.push("type");
  if (moved.length === 0) return false;
  const sent = given[member];
  const isKept = (name: string) =>
    !isObject(sent) || (Object.hasOwn(sent, name) && sent[name] === null);
  const kept = Object.keys(stored).find(
    (name) =>
      isGiven(stored[name]) &&
      !harmless.includes(name) &&
      !moved.includes(`${member}.${name}`) &&
      next[name] === stored[name] &&
      isKept(name),
  );
  if (kept === undefined) return true;
  const path = `properties.${member}.${kept.slice(0, 100)}`;
  throw new ApiError("SECRET_AGAIN", [path, moved.join(", ")], {
    validation: { [member]: [`enter ${kept} again to change ${moved.join(", ")}`] },
  });
}

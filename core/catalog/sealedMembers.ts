import { ApiError, type Row } from "../base/index.ts";
import { SecretLost, type Cipher } from "./cipher.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Key of the list of members that could not be decrypted when the record was read. Copies that are made by spreading
 * the record keep this list.
 */
const lostMembers = Symbol("lost members");

/** Returns the context in which a value is sealed. The value can be opened only in the same record and member. */
export const sealContext = (resource: string, member: string, id: string): string =>
  `${resource}.${member}.${id}`;

/**
 * Decrypts the sealed members of a stored record. Returns a record without sealed members unchanged. A member that
 * cannot be decrypted becomes null, and `refuseLost` later refuses the record.
 */
export function openSealed(
  resource: string,
  sealedMembers: readonly string[],
  read: Members,
  cipher: Cipher,
): Members {
  const sealed = sealedMembers.filter((member) => typeof read[member] === "string");
  if (sealed.length === 0) return read;
  const lost: string[] = [];
  const open = (member: string): unknown => {
    const context = sealContext(resource, member, String(read["id"]));
    try {
      return JSON.parse(cipher.open(String(read[member]), context));
    } catch (failure) {
      if (!(failure instanceof SecretLost)) throw failure;
      lost.push(member);
      return null;
    }
  };
  const opened = Object.fromEntries(sealed.map((member) => [member, open(member)]));
  return { ...read, ...opened, ...(lost.length > 0 && { [lostMembers]: lost }) };
}

/**
 * Refuses a record with a sealed member that could not be decrypted. Returns any other record.
 * @throws {ApiError} SECRET_LOST
 */
export function refuseLost(resource: string, row: Row): Row {
  const lost = (row as { readonly [lostMembers]?: readonly string[] })[lostMembers];
  if (lost) throw new ApiError("SECRET_LOST", [lost.join(" and "), resource, row.id]);
  return row;
}

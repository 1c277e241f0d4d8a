import type { Client } from "../../web/client/index.ts";
import { declarationOf } from "./kinds.ts";
import type { TransferRecord } from "./record.ts";
import type { WantedRecord } from "./readFolder.ts";

/** A member that a group lacks, or whose right differs. */
export interface MissingMember {
  readonly email: string;
  readonly right: string;
  readonly userId: string;
  /** The flag of the link that grants the right. */
  readonly flag: string;
}

/**
 * The users to add to groups, identified by e-mail address. Users are not created, and unknown addresses are skipped.
 */
export interface Membership {
  missing(record: WantedRecord, present: TransferRecord): readonly MissingMember[];
  notes(record: WantedRecord, present: TransferRecord): readonly string[];
  problems(record: WantedRecord, present: TransferRecord | undefined): readonly string[];
}

const fold = (email: string): string => email.toLowerCase();

/** Reads the users whom the caller can see, if the folder contains a group with members. */
export async function createMembership(
  client: Client,
  records: readonly WantedRecord[],
): Promise<Membership> {
  const usersByEmail = new Map<string, string[]>();
  const isNeeded = records.some(({ members = [] }) => members.length > 0);
  for (let offset = 0, isMore = isNeeded; isMore; offset += 1_000) {
    const find = { attributes: ["id", "email"], limit: 1_000, offset };
    const { rows } = await client.get("user", find);
    for (const { id, email } of rows) {
      const users = usersByEmail.get(fold(String(email))) ?? [];
      usersByEmail.set(fold(String(email)), [...users, String(id)]);
    }
    isMore = rows.length === 1_000;
  }
  const association = declarationOf("group").associations["Users"];
  const flags = (association?.kind === "through" ? association.link.flags : undefined) ?? [];
  const usersOf = (email: string) => usersByEmail.get(fold(email)) ?? [];
  const heldBy = (present: TransferRecord | undefined, email: string) =>
    present?.members?.find((member) => fold(member.email) === fold(email));

  return {
    missing: ({ members = [] }, present) =>
      members.flatMap(({ email, right }) => {
        const [userId, ...others] = usersOf(email);
        const flag = flags.find((each) => each.toLowerCase() === `flag${right}`);
        if (userId === undefined || others.length > 0 || flag === undefined) return [];
        return heldBy(present, email)?.right === right ? [] : [{ email, right, userId, flag }];
      }),
    notes: ({ file, members = [] }, present) => [
      ...members
        .filter(({ email }) => usersOf(email).length === 0)
        .map(
          ({ email }) =>
            `${file}: the organization has no user ${email}; create the user and run again`,
        ),
      ...(present.members ?? [])
        .filter(({ email }) => !members.some((member) => fold(member.email) === fold(email)))
        .map(({ email }) => `group ${present.id} also has the member ${email}`),
    ],
    problems: ({ file, members = [] }, present) =>
      members
        .filter(({ email, right }) => {
          const users = usersOf(email);
          return users.length > 1 && heldBy(present, email)?.right !== right;
        })
        .map(
          ({ email }) =>
            `${file}: members: ${usersOf(email).length} users have the e-mail address ${email}; add the intended user manually and remove the entry`,
        ),
  };
}

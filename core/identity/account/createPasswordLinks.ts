import type { Knex } from "knex";
import { type Log, type NoteRefusal, writeAudit } from "../../catalog/index.ts";
import {
  type ApiCall,
  ApiError,
  type Handler,
  isUuid,
  nobody,
  type Principal,
  type Records,
} from "../../base/index.ts";
import {
  comparableEmail,
  createToken,
  hashToken,
  passwordLengths,
  type PasswordCaller,
  personById,
  refuseNewWayIn,
  storePassword,
} from "../access/index.ts";

/** Why a link was created: an owner invited the person, or the person forgot the password. */
export type LinkKind = "invitation" | "password";

/** A mail with a link with which its reader chooses a password. */
export interface LinkMail {
  readonly kind: LinkKind;
  /** The address to which the mail is sent. */
  readonly recipient: string;
  readonly url: string;
  readonly expiresAt: Date;
  /** BCP 47 tag of the reader's language; undefined if it is not known. */
  readonly locale: string | undefined;
  /** Name of the person who invites; undefined for a forgotten password. */
  readonly by: string | undefined;
}

/** One-time links with which people choose a password. */
export interface PasswordLinks {
  /** Whether the host sends mails. */
  readonly hasMail: boolean;
  /**
   * The action `invite` of `user`. Creates a link for the user `id` and mails it. Without a mail server, or if the mail
   * server refuses the mail, returns the URL instead, which cannot be read again later.
   * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN, CONFLICT
   */
  readonly invite: Handler;
  /**
   * Mails a link to a person who forgot the password. Resolves before the address is looked up, so that neither the
   * answer nor its time reveals whether a person has this address.
   * @throws {ApiError} MEMBER_MISSING, CREDENTIALS_TOO_MANY
   */
  request(body: Readonly<Record<string, unknown>>, caller: PasswordCaller): Promise<void>;
  /**
   * Returns for whom a link is.
   * @throws {ApiError} MEMBER_MISSING, PASSWORD_LINK_INVALID, CREDENTIALS_TOO_MANY
   */
  look(
    body: Readonly<Record<string, unknown>>,
    caller: PasswordCaller,
  ): Promise<{ readonly kind: LinkKind; readonly email: string; readonly name: string | null }>;
  /**
   * Stores the password that a person chose with a link, and ends the sessions of the person. All links of the person
   * become invalid. A second factor is still needed to sign in.
   * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, PASSWORD_LINK_INVALID, CREDENTIALS_TOO_MANY, HOST_BUSY
   */
  use(
    body: Readonly<Record<string, unknown>>,
    caller: PasswordCaller,
  ): Promise<{ readonly email: string }>;
  /** Resolves when all requested links are created and mailed. */
  close(): Promise<void>;
}

export interface PasswordLinksOptions {
  readonly records: Records;
  readonly knex: Knex;
  readonly limits: { admit(address: string): void; failed(address: string, cost?: number): void };
  readonly noteRefusal: NoteRefusal;
  readonly publicUrl: () => string;
  /** Sends a mail. Resolves to whether the mail server accepted it. Absent without a mail server. */
  readonly mail?: ((mail: LinkMail) => Promise<boolean>) | undefined;
  /** Makes the next call read the catalog, because sessions were revoked on this host. */
  forget(): void;
  readonly log: Log;
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

/** Lifetimes of links in milliseconds. Invitations may wait over a weekend; forgotten passwords are urgent. */
const livesMs = { invitation: 7 * 86_400_000, password: 3_600_000 } as const;
/** Minimum milliseconds between two mails about a forgotten password to one person. */
const mailEveryMs = 5 * 60_000;
/** How many failed calls one request for a forgotten password counts as. */
const requestCost = 5;

interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly locale: string | null;
}

/** Selects people with a password who have an address, except those whom a provider has deactivated. */
const forgetful = `
  select u.id, u.email, u.name, coalesce(u.locale_id, u.locale) as locale
    from user_password p join "user" u on u.id = p.user_id
   where p.email = ?
     and not exists (select 1 from provisioned_user d where d.user_id = u.id and not d.active)
     and not exists (select 1 from password_link l
                      where l.user_id = u.id and l.kind = 'password' and l.created_at > ?)
   order by u.id limit 5`;

/** Creates the links of a host. */
export function createPasswordLinks(options: PasswordLinksOptions): PasswordLinks {
  const { records, knex, limits, noteRefusal, publicUrl, mail, forget, log } = options;
  const { now = Date.now } = options;
  const working = new Set<Promise<void>>();

  /** Stores a link and returns its URL. Browsers do not send the secret, because it is in the fragment. */
  const store = async (person: Person, kind: LinkKind, transaction: Knex.Transaction) => {
    const secret = createToken();
    const expiresAt = new Date(now() + livesMs[kind]);
    await transaction("password_link").where("expires_at", "<", new Date(now())).delete();
    await transaction("password_link").insert({
      digest: hashToken(secret),
      user_id: person.id,
      email: comparableEmail(person.email),
      kind,
      expires_at: expiresAt,
      created_at: new Date(now()),
    });
    return { url: `${publicUrl()}/#password=${secret}`, expiresAt };
  };

  /** Sends a mail. A failure is logged without the address and without the link. */
  const send = async (letter: LinkMail, userId: string): Promise<boolean> => {
    if (!mail) return false;
    const isSent = await mail(letter).catch(() => false);
    if (!isSent) log.warn({ userId, kind: letter.kind }, "a mail with a link could not be sent");
    return isSent;
  };

  const invite = async ({ body, principal, requestId, address }: ApiCall) => {
    const id = String(body.id).toLowerCase();
    const missing = () => new ApiError("RECORD_NOT_FOUND", ["user", id.slice(0, 100)]);
    if (!isUuid(id)) throw missing();
    const user = (await records.visible("user", [id], "own", principal)).get(id);
    if (!user) throw missing();
    if (principal.organizationRole !== "owner")
      throw new ApiError("FORBIDDEN", ["act as an owner of the organization"]);
    refuseNewWayIn(principal, "invite a person to choose a password");
    await refuseUninvitable(user, knex);
    const person: Person = { ...user, locale: user.locale_id ?? user.locale };
    const { url, expiresAt } = await records.transaction(async (transaction) => {
      const made = await store(person, "invitation", transaction);
      const event = { action: "invitation_create", resource: "user", recordId: id } as const;
      await writeAudit(records, { principal, requestId, address }, event, transaction);
      return made;
    });
    const letter: LinkMail = {
      kind: "invitation",
      recipient: person.email,
      url,
      expiresAt,
      locale: person.locale ?? undefined,
      by: principal.name || principal.email,
    };
    const isMailed = await send(letter, id);
    return {
      id,
      is_mailed: isMailed,
      expires_at: expiresAt.toISOString(),
      ...(!isMailed && { url }),
    };
  };

  const mailForgotten = async (email: string, { requestId, address }: PasswordCaller) => {
    const since = new Date(now() - mailEveryMs);
    const { rows }: { rows: Person[] } = await knex.raw(forgetful, [email, since]);
    for (const person of rows) {
      const { url, expiresAt } = await records.transaction(async (transaction) => {
        const made = await store(person, "password", transaction);
        const actor = await actorOf(person.id, transaction);
        const event = {
          action: "password_link_create",
          resource: "user",
          recordId: person.id,
        } as const;
        await writeAudit(records, { principal: actor, requestId, address }, event, transaction);
        return made;
      });
      const locale = person.locale ?? undefined;
      const letter = { recipient: person.email, url, expiresAt, locale, by: undefined };
      await send({ kind: "password", ...letter }, person.id);
    }
  };

  const refuse = ({ address }: PasswordCaller): never => {
    limits.failed(address);
    const code = "PASSWORD_LINK_INVALID";
    noteRefusal({ way: "link", code, address });
    throw new ApiError(code);
  };

  /** Returns the valid link with a secret, and its person. A link whose person changed the address is not valid. */
  const find = async (
    body: Readonly<Record<string, unknown>>,
    caller: PasswordCaller,
    connection: Knex,
  ) => {
    limits.admit(caller.address);
    const secret = expectText(body, "link");
    const found: (Person & { readonly linked: string; readonly kind: LinkKind }) | undefined =
      await connection("password_link as l")
        .join("user as u", "u.id", "l.user_id")
        .first("u.id", "u.email", "u.name", "u.locale", "l.kind", "l.email as linked")
        .where("l.digest", hashToken(secret))
        .where("l.expires_at", ">", new Date(now()))
        .whereRaw(
          "not exists (select 1 from provisioned_user d where d.user_id = u.id and not d.active)",
        );
    if (!found || found.linked !== comparableEmail(found.email)) return refuse(caller);
    return { ...found, digest: hashToken(secret) };
  };

  return {
    hasMail: mail !== undefined,
    invite,
    async request(body, caller) {
      limits.admit(caller.address);
      const email = comparableEmail(expectText(body, "email"));
      // Every request costs the same, so that nobody can send many mails, or learn which addresses are known.
      limits.failed(caller.address, requestCost);
      if (!mail) return;
      const work: Promise<void> = mailForgotten(email, caller)
        .catch((failure: unknown) =>
          log.warn({ err: failure }, "a link for a forgotten password could not be created"),
        )
        .finally(() => working.delete(work));
      working.add(work);
    },
    async look(body, caller) {
      const { kind, email, name } = await find(body, caller, knex);
      return { kind, email, name };
    },
    async use(body, caller) {
      const { requestId, address } = caller;
      const password = expectPassword(body);
      const email = await records.transaction(async (transaction) => {
        const found = await find(body, caller, transaction);
        // The row is locked before the password is hashed, so that a link that is opened twice stores one password.
        const taken = await transaction("password_link").where({ digest: found.digest }).delete();
        if (taken === 0) return refuse(caller);
        await storePassword(found, password, nobody, transaction);
        await transaction("password_link").where({ user_id: found.id }).delete();
        const principal = await actorOf(found.id, transaction);
        const event = { action: "password_set", resource: "user", recordId: found.id } as const;
        await writeAudit(records, { principal, requestId, address }, event, transaction);
        return found.email;
      });
      forget();
      return { email };
    },
    async close() {
      await Promise.all(working);
    },
  };
}

/** Returns the person of a link as the one who acts. No key identifies the person. */
async function actorOf(userId: string, transaction: Knex.Transaction): Promise<Principal> {
  return { ...(await personById(userId, transaction)), authorizationId: nobody };
}

/**
 * Refuses users who do not sign in with a password: readers of embedded pages, and people whom a provider deactivated.
 * @throws {ApiError} CONFLICT
 */
async function refuseUninvitable(
  { id, email }: { readonly id: string; readonly email: string },
  knex: Knex,
): Promise<void> {
  if (email === "")
    throw new ApiError("CONFLICT", ["the user has no e-mail address to sign in with"]);
  const ended: unknown = await knex("provisioned_user")
    .where({ user_id: id, active: false })
    .first("user_id");
  if (ended)
    throw new ApiError("CONFLICT", [
      "the identity provider has deactivated the user; activate the user there",
    ]);
}

function expectText(body: Readonly<Record<string, unknown>>, member: string): string {
  const value = Object.hasOwn(body, member) ? body[member] : undefined;
  if (typeof value !== "string" || value === "" || value.length > 1_000)
    throw new ApiError("MEMBER_MISSING", [member, "a string"]);
  return value;
}

function expectPassword(body: Readonly<Record<string, unknown>>): string {
  const password = expectText(body, "password");
  const { least, most } = passwordLengths;
  if (password.length < least || password.length > most)
    throw new ApiError("MEMBER_INVALID", ["password", `must have ${least} to ${most} characters`]);
  return password;
}

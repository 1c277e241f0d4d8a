import { ApiFailure } from "./apiFailure.ts";
import { isRecord } from "./isRecord.ts";
import { readEvents } from "./readEvents.ts";
import { sendForm } from "./sendForm.ts";
import { words } from "./words.ts";

type Json = Readonly<Record<string, unknown>>;

/** How one call to the host can be cancelled. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the call is completed even if the reader leaves the console. */
  readonly outlivesPage?: boolean;
}

/** A file that a call sends, and what the caller learns while it is sent. */
export interface UploadOptions extends Pick<CallOptions, "signal"> {
  readonly file: Blob;
  readonly fileName: string;
  /** Called with the number of bytes of the file that the browser has sent. */
  onSent?(sentBytes: number): void;
}

/** The user who is signed in. */
export interface SignedInUser {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly organization_id: string;
  /** The user's role: `owner`, `editor` or `member`. */
  readonly role: string;
  /** The user's suborganization; null for users who belong to the whole organization. */
  readonly suborganization: string | null;
  /** Whether the reader may only add a second factor, because the organization requires one. */
  readonly mustAddFactor?: boolean;
  /**
   * Optional features of the host. An absent feature is not available. `removed` lists the flags that the user lacks.
   */
  readonly features?: { readonly assistant?: boolean; readonly removed?: readonly string[] };
}

/** One page of records, with the total number of records found. */
export interface Found<Row> {
  readonly count: number;
  readonly rows: readonly Row[];
}

/** The second record of an association, with its role. */
export interface Target {
  readonly role: string;
  readonly id: string;
}

/**
 * The public API, called with the session of the browser. Every method rejects with `ApiFailure`, or with the reason of
 * its signal.
 */
export interface Api {
  /** Address of the host, without a slash at the end. */
  readonly hostUrl: string;
  /** Sends one action with its members, such as `call("alert", "backtest", {...})`. */
  call<Answer = Json>(
    resource: string,
    action: string,
    members?: Json,
    options?: CallOptions,
  ): Promise<Answer>;
  get<Row = Json>(resource: string, find?: Json, options?: CallOptions): Promise<Found<Row>>;
  create<Answer = Json>(resource: string, properties: Json): Promise<Answer>;
  update<Answer = Json>(resource: string, id: string, properties: Json): Promise<Answer>;
  remove(resource: string, id: string, properties?: Json): Promise<void>;
  associate(resource: string, id: string, target: Target, properties?: Json): Promise<void>;
  dissociate(resource: string, id: string, target: Target): Promise<void>;
  /**
   * Yields server-sent events as they arrive. Rejects with `ApiFailure`, even if the connection is lost before the last
   * event.
   */
  events(
    resource: string,
    action: string,
    members: Json,
    options?: CallOptions,
  ): AsyncGenerator<Json>;
  /** Returns a file instead of JSON, such as an export. */
  file(resource: string, action: string, members: Json, options?: CallOptions): Promise<Blob>;
  /** Sends one action together with a file. */
  upload<Answer = Json>(
    resource: string,
    action: string,
    members: Json,
    options: UploadOptions,
  ): Promise<Answer>;
  /** Returns the user who is signed in; undefined if nobody is signed in. */
  who(): Promise<SignedInUser | undefined>;
  /** Performs an action on the reader's own account, at `/auth/account/<path>`. */
  account<Answer = Json>(path: string, members?: Json): Promise<Answer>;
  /** Returns the options with which the browser starts a sign-in with a passkey. */
  passkeyOptions<Answer = Json>(): Promise<Answer>;
  /**
   * Requests a link to choose a password with an `email`, looks at a `link`, or uses it to store a `password`.
   */
  passwordLink<Answer = Json>(step: "request" | "look" | "use", members: Json): Promise<Answer>;
  /**
   * Starts a session with `email` and `password` (and `code`), with `ticket` and `passkey`, with `key` and `token`, or
   * with a `link`.
   */
  signIn(credentials: Json): Promise<SignedInUser>;
  signOut(): Promise<void>;
  /** Returns how people can sign in to this host. */
  signInWays(): Promise<SignInWays>;
}

/** The providers through which people can sign in, and whether any user has a password. */
export interface SignInWays {
  readonly choices: readonly SignOnChoice[];
  readonly hasPasswords: boolean;
  /** Whether people who forgot their password can get a link by mail. */
  readonly mailsPasswordLinks: boolean;
}

/** A provider of an organization. Its sign-in page is `/auth/sso/<id>`. */
export interface SignOnChoice {
  readonly id: string;
  readonly name: unknown;
}

/**
 * Browsers let only scripts of the host's own origin send this header. The host accepts the session cookie only in
 * calls that have the header.
 */
const consoleHeader = { "X-Manifold-Console": "1" };

/** How calls name their host and their caller. */
export interface Caller {
  /** Address of the host, without a slash at the end; "" for the host of the page. */
  readonly hostUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: RequestCredentials;
  /** Returns the members of every call that identify the caller. */
  members(): Promise<Json>;
  /** Called when the host does not know the caller. Returns whether the call can be repeated. */
  renew(members: Json): Promise<boolean>;
}

/** The reader's session in this browser. */
const session: Caller = {
  hostUrl: "",
  headers: consoleHeader,
  credentials: "same-origin",
  members: () => Promise.resolve({}),
  renew: () => Promise.resolve(false),
};

/**
 * Creates the API client of the console. `onSignedOut` is called when a response says that the session, or the token of
 * another caller, has ended.
 */
export function createApi({
  onSignedOut,
  caller = session,
}: {
  onSignedOut(): void;
  readonly caller?: Caller;
}): Api {
  const request = async (
    path: string,
    method: string,
    body: Json | undefined,
    options: CallOptions = {},
    isRepeated = false,
  ): Promise<Response> => {
    const { signal, outlivesPage = false } = options;
    const members = await caller.members();
    const answer = await fetch(`${caller.hostUrl}${path}`, {
      method,
      headers: { ...caller.headers, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify({ ...body, ...members }) }),
      credentials: caller.credentials,
      redirect: "error",
      ...(signal && { signal }),
      ...(outlivesPage && { keepalive: true }),
    }).catch((failure: unknown) => {
      if (signal?.aborted) throw signal.reason;
      throw unreachable(failure);
    });
    if (answer.ok) return answer;
    const isAgain = answer.status === 401 && !isRepeated && (await caller.renew(members));
    if (isAgain) return request(path, method, body, options, true);
    throw new ApiFailure(answer.status, await readRefusal(answer));
  };
  const watched = async <Sent>(sent: Promise<Sent>): Promise<Sent> => {
    try {
      return await sent;
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.status === 401) onSignedOut();
      throw failure;
    }
  };
  const send = async (resource: string, action: string, members: Json, options?: CallOptions) => {
    const body = { version: "0.1.0", action, ...members };
    return watched(request(pathOf(resource), "POST", body, options));
  };
  const sendFile = async (path: string, call: Json, options: UploadOptions): Promise<Response> => {
    const form = new FormData();
    // The host reads the parts in this order, and identifies the caller before the first byte of the file.
    form.set("call", JSON.stringify({ ...call, ...(await caller.members()) }));
    form.set("file", options.file, options.fileName);
    const { signal } = options;
    const { hostUrl, headers } = caller;
    const answer = await sendForm(`${hostUrl}${path}`, form, { ...options, headers }).catch(
      (failure: unknown) => {
        if (signal?.aborted) throw signal.reason;
        throw unreachable(failure);
      },
    );
    if (answer.ok) return answer;
    throw new ApiFailure(answer.status, await readRefusal(answer));
  };
  const call = async <Answer>(
    resource: string,
    action: string,
    members: Json = {},
    options?: CallOptions,
  ): Promise<Answer> => readAnswer<Answer>(await send(resource, action, members, options));
  const readSession = async (method: string, body?: Json): Promise<SignedInUser> => {
    const answer = await request("/auth/session", method, body);
    const read = await readAnswer<
      Pick<SignedInUser, "features"> & {
        readonly user: SignedInUser;
        readonly must_add_second_factor?: boolean;
      }
    >(answer);
    const { user, features = {}, must_add_second_factor: mustAddFactor = false } = read;
    return { ...user, features, mustAddFactor };
  };
  return {
    hostUrl: caller.hostUrl === "" ? window.location.origin : caller.hostUrl,
    call,
    get: (resource, find = {}, options) => call(resource, "get", { find }, options),
    create: (resource, properties) => call(resource, "create", { properties }),
    update: (resource, id, properties) => call(resource, "update", { id, properties }),
    async remove(resource, id, properties) {
      await call(resource, "delete", { id, ...(properties && { properties }) });
    },
    async associate(resource, id, target, properties) {
      await call(resource, "associate", {
        id,
        resource: target,
        ...(properties && { properties }),
      });
    },
    async dissociate(resource, id, target) {
      await call(resource, "dissociate", { id, resource: target });
    },
    async *events(resource, action, members, options) {
      const { body } = await send(resource, action, members, options);
      if (!body) return;
      try {
        yield* readEvents(body);
      } catch (failure) {
        if (options?.signal?.aborted) throw options.signal.reason;
        const message = words.lost;
        throw new ApiFailure(0, { message, type: { code: "UNREACHABLE" } }, { cause: failure });
      }
    },
    file: async (resource, action, members, options) =>
      (await send(resource, action, members, options)).blob(),
    async upload<Answer>(resource: string, action: string, members: Json, options: UploadOptions) {
      const call = { version: "0.1.0", action, ...members };
      return readAnswer<Answer>(await watched(sendFile(pathOf(resource), call, options)));
    },
    who: () =>
      readSession("GET").catch((failure: unknown) => {
        if (failure instanceof ApiFailure && failure.status === 401) return undefined;
        throw failure;
      }),
    async account<Answer>(path: string, members: Json = {}) {
      try {
        return await readAnswer<Answer>(await request(`/auth/account/${path}`, "POST", members));
      } catch (failure) {
        if (failure instanceof ApiFailure && failure.code === "UNAUTHORIZED") onSignedOut();
        throw failure;
      }
    },
    passkeyOptions: async <Answer>() =>
      readAnswer<Answer>(await request("/auth/passkey", "POST", {})),
    passwordLink: async <Answer>(step: string, members: Json) =>
      readAnswer<Answer>(await request(`/auth/password/${step}`, "POST", members)),
    signIn: (credentials) => readSession("POST", credentials),
    async signOut() {
      await request("/auth/session", "DELETE", undefined);
    },
    async signInWays() {
      const answer = await request("/auth/sso", "GET", undefined);
      const ways = await readAnswer<{
        readonly rows: readonly SignOnChoice[];
        readonly has_passwords: boolean;
        readonly mails_password_links: boolean;
      }>(answer);
      return {
        choices: ways.rows,
        hasPasswords: ways.has_passwords,
        mailsPasswordLinks: ways.mails_password_links,
      };
    },
  };
}

const pathOf = (resource: string): string => `/0.1.0/${encodeURIComponent(resource)}`;

function unreachable(cause: unknown): ApiFailure {
  const message = words.unreachable;
  return new ApiFailure(0, { message, type: { code: "UNREACHABLE" } }, { cause });
}

/** Parses a response as the type that its action declares. This is the only place where types are not checked. */
async function readAnswer<Answer>(answer: Response): Promise<Answer> {
  return (await answer.json()) as Answer;
}

/**
 * Returns the body of an error response, or a message with the status if the body is not JSON, as in some responses of
 * proxies.
 */
async function readRefusal(answer: Response): Promise<Json> {
  const unreadable = {
    message: words.noReason(answer.status),
  };
  const text = await answer.text();
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : unreadable;
  } catch {
    return unreadable;
  }
}

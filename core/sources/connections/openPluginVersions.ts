import type { Plugin, PluginError, ProtocolVersion } from "../../../plugins/protocol/index.ts";
import type { Egress } from "./egress.ts";
import type { Grant } from "./grants.ts";
import type { Egresses } from "./openEgresses.ts";
import { askVersion, overHttp, type RemotePlugin } from "./overHttp/index.ts";

/** A plugin over HTTP whose record may leave the protocol version to the plugin. */
export interface DeclaredRemote extends Omit<RemotePlugin, "protocolVersion"> {
  readonly protocolVersion?: ProtocolVersion;
}

/** An opened plugin, and the version in which the host calls it. */
export interface OpenedRemote {
  readonly remote: RemotePlugin;
  readonly plugin: Plugin;
  /** The version that the plugin reported when it was last asked; undefined if its record names the version. */
  readonly answered?: ProtocolVersion;
}

/** Opens plugins in the version of their record, or else in the version that they report. */
export interface PluginVersions {
  /**
   * Opens a plugin. The same object is returned until its declaration or its capabilities may have changed.
   * `lastAnswered` is the version that the plugin answered earlier. If that version was `manifold-1`, a failure to
   * answer is an error. Otherwise, a plugin that does not answer counts as 3.0.0.
   * @throws {PluginError} the errors of calling a plugin of `manifold-1`
   */
  open(
    declared: DeclaredRemote,
    grant: Grant,
    lastAnswered?: ProtocolVersion,
  ): Promise<OpenedRemote>;
  /** Makes the next `open` ask the plugin for its version again. */
  forget(declared: DeclaredRemote, grant: Grant): void;
  /** Cancels requests for versions that no call waits for. */
  close(): void;
}

/** How long the capabilities of a `manifold-1` plugin are cached. A later call waits for new capabilities. */
const capabilitiesMs = 60_000;
/**
 * How long a plugin counts as a numbered version before it is asked again. Calls continue in that version while it is
 * asked, so that a plugin which does not answer unknown routes never delays them.
 */
const numberedMs = 300_000;
const unclearMs = 60_000;
const refusedMs = 10_000;
/** How long an unused entry is kept. */
const keptMs = 3_600_000;

interface Entry {
  readonly opened: Promise<OpenedRemote>;
  /** The time until which the entry is used without asking again. */
  until: number;
  /** Whether calls may use the entry after that time, while the plugin is asked again. */
  isUsableLater: boolean;
  isAsking: boolean;
}

/** An opened plugin, and how long it may be used. */
interface Found {
  readonly opened: OpenedRemote;
  readonly freshMs: number;
  readonly isUsableLater: boolean;
}

/**
 * Opens the memory of the versions that plugins speak.
 * @param now returns milliseconds of a steady clock
 */
export function openPluginVersions(
  egresses: Pick<Egresses, "forGrant">,
  now: () => number = () => performance.now(),
): PluginVersions {
  const entries = new Map<string, Entry>();
  const closing = new AbortController();

  const remember = (key: string, finding: Promise<Found>): Promise<OpenedRemote> => {
    const opened = finding.then((found) => found.opened);
    const entry: Entry = { opened, until: Infinity, isUsableLater: false, isAsking: true };
    entries.set(key, entry);
    const drop = () => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    finding.then(({ freshMs, isUsableLater }) => {
      if (freshMs === 0) return drop();
      entry.until = now() + freshMs;
      entry.isUsableLater = isUsableLater;
      entry.isAsking = false;
    }, drop);
    return opened;
  };

  /** Asks the plugin again while calls continue to use the entry. */
  const refresh = (key: string, entry: Entry, find: () => Promise<Found>): void => {
    entry.isAsking = true;
    find().then(
      (found) => {
        if (entries.get(key) !== entry || closing.signal.aborted) return;
        if (found.freshMs > 0) void remember(key, Promise.resolve(found));
        else entry.isAsking = false;
      },
      () => {
        // The plugin speaks manifold-1 now but cannot be opened. The next call shows the error.
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
  };

  return {
    async open(declared, grant, lastAnswered) {
      const egress = egresses.forGrant(grant);
      const { protocolVersion } = declared;
      if (protocolVersion !== undefined && protocolVersion !== "manifold-1") {
        const remote = { ...declared, protocolVersion };
        return { remote, plugin: await overHttp(remote, egress) };
      }
      const nowMs = now();
      for (const [name, { until }] of entries) if (until + keptMs <= nowMs) entries.delete(name);
      const key = keyOf(declared, grant);
      const find = () =>
        protocolVersion === undefined
          ? findVersion(declared, egress, { lastAnswered, signal: closing.signal })
          : openManifold({ ...declared, protocolVersion }, egress);
      const known = entries.get(key);
      if (known && known.until > nowMs) return known.opened;
      if (!known?.isUsableLater) return remember(key, find());
      if (!known.isAsking) refresh(key, known, find);
      return known.opened;
    },
    forget: (declared, grant) => void entries.delete(keyOf(declared, grant)),
    close: () => closing.abort(),
  };
}

/** Returns a key that contains every member of the record on which the opened plugin depends. */
function keyOf(declared: DeclaredRemote, { key }: Grant): string {
  const { slug, baseUrl, secret, previousSecret, flags, protocolVersion } = declared;
  const { pushdown, supportsDistinctcount } = declared;
  const members = [slug, baseUrl, secret, previousSecret, flags, protocolVersion ?? null];
  return JSON.stringify([...members, pushdown, supportsDistinctcount, key]);
}

async function openManifold(remote: RemotePlugin, egress: Egress): Promise<Found> {
  const plugin = await overHttp(remote, egress);
  return { opened: { remote, plugin }, freshMs: capabilitiesMs, isUsableLater: false };
}

async function findVersion(
  declared: DeclaredRemote,
  egress: Egress,
  {
    lastAnswered,
    signal,
  }: { readonly lastAnswered: ProtocolVersion | undefined; readonly signal: AbortSignal },
): Promise<Found> {
  const { outcome, version, capabilities, failure } = await askVersion(declared, egress, signal);
  if (version === "manifold-1" && capabilities) {
    const remote = { ...declared, protocolVersion: version } as const;
    const plugin = await overHttp(remote, egress, signal, capabilities);
    const opened = { remote, plugin, answered: version } as const;
    return { opened, freshMs: capabilitiesMs, isUsableLater: false };
  }
  if (version === "manifold-1" || (version === undefined && lastAnswered === "manifold-1"))
    throw problemOf(failure);
  const remote = { ...declared, protocolVersion: "3.0.0" } as const;
  const plugin = await overHttp(remote, egress);
  const opened = { remote, plugin, ...(version !== undefined && { answered: version }) };
  return { opened, freshMs: freshMsOf[outcome], isUsableLater: true };
}

const freshMsOf = { answered: numberedMs, unclear: unclearMs, refused: refusedMs, unreachable: 0 };

function problemOf(failure: PluginError | undefined): Error {
  return failure ?? new TypeError("a plugin without a version must have a failure");
}

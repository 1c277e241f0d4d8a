import type { Connections, Provider, Records, ResourceRow } from "../../base/index.ts";
import type { Connectors } from "./connectors.ts";
import type { Grants } from "./grants.ts";

type Principal = Parameters<Connections["candidate"]>[1];

/** Maximum number of providers that the message about an unknown provider lists. */
const mostShown = 30;

/** The sources that callers may connect to: plugins with a record, and connectors of this host. */
export interface Providers {
  /** Returns the plugins that a caller may use. The plugins of the caller's organization come first. */
  usable(
    where: Readonly<Record<string, unknown>>,
    principal: Principal,
  ): Promise<readonly ResourceRow<"plugin">[]>;
  /** Returns a list, for use in a message, of the providers that a caller may choose from. */
  inWords(principal: Principal): Promise<string>;
  /** Returns all providers that a caller may use, or only the named provider. Connectors come first. */
  list(principal: Principal, provider?: string): Promise<Provider[]>;
}

export interface ProvidersOptions {
  readonly records: Records;
  readonly connectors: Connectors;
  readonly grants: Grants;
}

/** Creates the providers of a host. */
export function createProviders({ records, connectors, grants }: ProvidersOptions): Providers {
  const usable: Providers["usable"] = async (where, principal) => {
    const ids = (await records.find("plugin", where)).map(({ id }) => id);
    const found = [...(await records.visible("plugin", ids, "use", principal)).values()];
    const isOwn = (row: ResourceRow<"plugin">) => row.organization_id === principal.organizationId;
    return found.toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
  };

  const connectorsOf = async ({ organizationId }: Principal) =>
    connectors.slugsFor(await grants.of(organizationId));

  const inWords: Providers["inWords"] = async (principal) => {
    const own = (await usable({}, principal)).map((plugin) => String(plugin.slug));
    const slugs = [...new Set([...own, ...(await connectorsOf(principal))])];
    const shown = slugs.toSorted().slice(0, mostShown).join(", ");
    const more = slugs.length > mostShown ? ` and ${slugs.length - mostShown} more` : "";
    return slugs.length === 0 ? "are none yet" : `are: ${shown}${more}`;
  };

  return {
    usable,
    inWords,
    async list(principal, provider) {
      const where = provider === undefined ? {} : { slug: provider };
      const bySlug = new Map<string, Provider>();
      for (const row of await usable(where, principal)) {
        const slug = String(row.slug);
        if (!bySlug.has(slug)) bySlug.set(slug, providerOf(row));
      }
      const plugins = [...bySlug.values()].toSorted((one, other) =>
        one.provider < other.provider ? -1 : 1,
      );
      const slugs = (await connectorsOf(principal)).filter(
        (slug) => !bySlug.has(slug) && (provider === undefined || slug === provider),
      );
      const own: Provider[] = [];
      for (const slug of slugs) {
        // Properties are returned only for a named provider, because reading the properties of a connector imports its
        // driver.
        const properties = provider === undefined ? null : await connectors.properties(slug);
        const kind = "connector";
        own.push({
          provider: slug,
          kind,
          name: null,
          authorize: null,
          properties: properties ?? null,
        });
      }
      return [...own, ...plugins];
    },
  };
}

function providerOf({ slug, name, authorize, properties }: ResourceRow<"plugin">): Provider {
  return { provider: String(slug), kind: "plugin", name, authorize, properties: properties ?? [] };
}

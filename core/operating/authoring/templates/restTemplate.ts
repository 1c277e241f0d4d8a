import { importing } from "./importing.ts";

/** Template of a plugin that reads a paged JSON API. */
export const restTemplate = `// A plugin over a JSON API that answers in pages. The host filters, groups and sorts the rows.
import { readFile } from "node:fs/promises";
${importing("{ definePlugin, PluginError }")}

// Without an address it reads a recorded page, so that tests need no network.
const { API_URL } = process.env;

interface Page {
  readonly items: readonly { readonly city: string; readonly km: number | null; readonly at: string | null }[];
  readonly next: string | null;
}

async function readPage(url: string | undefined, token: string | undefined, signal: AbortSignal): Promise<Page> {
  if (url === undefined)
    return JSON.parse(await readFile(new URL("../recorded.json", import.meta.url), "utf8"));
  const answer = await fetch(url, { signal, headers: token ? { authorization: "Bearer " + token } : {} });
  // Messages never contain the token, or the address with its parameters.
  if (answer.status === 401 || answer.status === 403)
    throw new PluginError("PLUGIN_FORBIDDEN", ["the API refuses the token"]);
  if (!answer.ok) throw new PluginError("PLUGIN_SOURCE_FAILED", ["the API returned status " + answer.status]);
  return (await answer.json()) as Page;
}

const plugin = definePlugin({
  datasets: [
    {
      id: "trips",
      columns: [
        { id: "city", type: "hierarchy" },
        { id: "km", type: "numeric" },
        { id: "at", type: "datetime" },
      ],
    },
  ],
  async *rows({ credentials, signal }) {
    let url = API_URL;
    do {
      const page = await readPage(url, credentials.token, signal);
      for (const { city, km, at } of page.items) yield [city, km, at];
      // The next page must be on the same server, because the token is sent nowhere else.
      if (page.next === null || url === undefined) return;
      const next = new URL(page.next, url);
      if (next.origin !== new URL(url).origin)
        throw new PluginError("PLUGIN_SOURCE_FAILED", ["the next page must be on the same server"]);
      url = next.href;
    } while (true);
  },
});

export default plugin;
`;

export const recordedPage = `{
  "items": [
    { "city": "Ghent", "km": 3.5, "at": "2024-01-05T08:30:00Z" },
    { "city": "Mons", "km": 5, "at": "2024-02-01T12:00:00Z" },
    { "city": "Ghent", "km": null, "at": null }
  ],
  "next": null
}
`;

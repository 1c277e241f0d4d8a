import { html } from "lit";
import { copyText, openDialog, tabs } from "../../parts/index.ts";
import { words } from "./words.ts";

type Form = "json" | "curl" | "typescript";

/** Shows the request with which a program would run a query, with placeholders for a key pair. */
export async function openRequest(
  query: Readonly<Record<string, unknown>>,
  origin: string,
): Promise<void> {
  const body = {
    action: "get",
    version: "0.1.0",
    key: "<key>",
    token: "<token>",
    find: { queries: [query] },
  };
  const written = JSON.stringify(body, undefined, 2);
  const texts: Readonly<Record<Form, string>> = {
    json: written,
    curl: `curl ${origin}/0.1.0/data \\
  -H 'Content-Type: application/json' \\
  -d '${written.replaceAll("'", String.raw`'\''`)}'`,
    typescript: `import { createClient } from "@manifold-analytics/client";

const client = createClient({ url: ${JSON.stringify(origin)}, key: "<key>", token: "<token>" });
const answer = await client.get("data", ${JSON.stringify({ queries: [query] }, undefined, 2)});`,
  };
  let form: Form = "json";
  await openDialog({
    title: words.requestTitle,
    isWide: true,
    body: (dialog) =>
      html`${tabs({
          label: words.requestTitle,
          selected: form,
          items: [
            { id: "json", label: "JSON" },
            { id: "curl", label: "curl" },
            { id: "typescript", label: "TypeScript" },
          ],
          onSelect: (id) => {
            form = id;
            dialog.redraw();
          },
        })}
        <div role="tabpanel" id="panel-${form}" aria-labelledby="tab-${form}">
          <pre tabindex="0" class="request">${texts[form]}</pre>
        </div>`,
    foot: () =>
      html`<button class="button primary" @click=${() => copyText(texts[form])}>
        ${words.copy}
      </button>`,
  });
}

import { withBase } from "vitepress";
import { computed, defineComponent, h, ref } from "vue";
import type { RegistryEntry } from "../../../core/http/assets/readRegistry.ts";
import { data } from "./registry.data.ts";

const kinds: Readonly<Record<RegistryEntry["kind"], string>> = {
  "built-in": "built in",
  connector: "connector",
  plugin: "plugin",
  example: "example",
};

/** Returns the text in which the search looks for words. */
function textOf({ name, slug, kind, description, maintainer, ...each }: RegistryEntry): string {
  const parts = [name, slug, kinds[kind], description, maintainer.name, each.package ?? ""];
  return parts.join(" ").toLowerCase();
}

/** Returns the address of an entry's page: pages of the repository are pages of this site. */
function addressOf({ homepage }: RegistryEntry): string {
  if (homepage.startsWith("https://")) return homepage;
  return withBase(`/${homepage.replace(/(README)?\.md$/, "")}`);
}

function card(entry: RegistryEntry) {
  const { name, kind, description, license, maintainer, report, deprecated } = entry;
  const isOutside = entry.homepage.startsWith("https://");
  const count = report.proved.length;
  return h("li", { key: entry.slug }, [
    h("h3", [
      h("a", { href: addressOf(entry), ...(isOutside && { rel: "noopener noreferrer" }) }, name),
      " ",
      h("span", { class: "plugin-kind" }, kinds[kind]),
    ]),
    h("p", description),
    ...(deprecated === undefined ? [] : [h("p", [h("strong", "Deprecated: "), deprecated])]),
    ...(entry.package === undefined ? [] : [h("p", h("code", `npm install ${entry.package}`))]),
    h("p", { class: "plugin-small" }, `By ${maintainer.name}, licence ${license}`),
    h("details", [
      h(
        "summary",
        `${count} ${count === 1 ? "claim" : "claims"} proved, version ${report.version}, ${report.checked_at}`,
      ),
      h("p", { class: "plugin-small" }, report.proved.join(", ")),
    ]),
  ]);
}

/** The list of plugins as cards, with a search. */
export const PluginGallery = defineComponent(() => {
  const search = ref("");
  const found = computed(() => {
    const words = search.value.trim().toLowerCase().split(/\s+/);
    return data.filter((each) => words.every((word) => textOf(each).includes(word)));
  });
  return () =>
    h("section", { class: "plugin-gallery vp-doc", "aria-labelledby": "all-plugins" }, [
      h("h2", { id: "all-plugins" }, "All plugins"),
      h("input", {
        type: "search",
        "aria-label": "Search plugins",
        placeholder: "Search plugins",
        value: search.value,
        onInput: ({ target }: Event) => {
          if (target instanceof HTMLInputElement) search.value = target.value;
        },
      }),
      h(
        "p",
        { role: "status", class: "plugin-small" },
        found.value.length === 1 ? "1 plugin" : `${found.value.length} plugins`,
      ),
      h("ul", found.value.map(card)),
    ]);
});

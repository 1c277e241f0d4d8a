import { existsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { defineConfig } from "vitepress";
import { addressOf, groups, leftOut, pages, root, titleOf } from "./pages.ts";

/** The address of a heading, as the page of the repository has it: links serve both. */
const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

/** The pages of the repository as a site, without copies: `npm run docs`. A dead link between pages fails the build. */
export default defineConfig({
  title: "Manifold",
  description:
    "An open analytics core in which every data source is a plugin that speaks one small protocol.",
  srcDir: "..",
  srcExclude: leftOut.map((folder) => `**/${folder}/**`),
  outDir: "../dist/docs",
  cacheDir: "../node_modules/.cache/vitepress",
  rewrites: addressOf,
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(markdown) {
      // Pages are Markdown alone: neither HTML nor templates of Vue.
      markdown.set({ html: false });
      const { text } = markdown.renderer.rules;
      markdown.renderer.rules.text = (...given) =>
        (text?.(...given) ?? "").replaceAll("{{", "&#123;&#123;");
      markdown.core.ruler.push("addresses", ({ tokens, env }) => {
        for (const { children } of tokens)
          for (const [at, token] of (children ?? []).entries()) {
            const href = token.type === "link_open" ? token.attrGet("href") : null;
            if (!href || /^([a-z]+:|#)/.test(href)) continue;
            const [path = "", anchor] = href.split("#");
            const target = posix.join(dirname(env.relativePath), decodeURI(path));
            const page = [target, posix.join(target, "README.md")].find((each) =>
              pages.includes(each),
            );
            if (page !== undefined) {
              const heading = anchor === undefined ? "" : `#${anchor}`;
              token.attrSet("href", `/${addressOf(page)}${heading}`);
            } else if (existsSync(join(root, target))) {
              // A file of the repository that is no page is named, not linked.
              token.tag = "span";
              token.attrs = null;
              const close = children?.slice(at).find(({ type }) => type === "link_close");
              if (close) close.tag = "span";
            }
          }
      });
    },
  },
  transformHead: ({ assets }) =>
    assets
      .filter((path) => path.endsWith(".woff2"))
      .map((href) => [
        "link",
        { rel: "preload", href, as: "font", type: "font/woff2", crossorigin: "" },
      ]),
  themeConfig: {
    sidebar: groups.map(({ title, paths }, index) => ({
      text: title,
      collapsed: index > 1,
      items: paths.map((path) => ({
        text: titleOf(path),
        link: `/${addressOf(path).replace(/(index)?\.md$/, "")}`,
      })),
    })),
    outline: [2, 3],
    search: { provider: "local" },
    nav: ["ARCHITECTURE", "QUERIES", "PLUGINS", "RUNNING"].map((name) => ({
      text: titleOf(`docs/${name}.md`),
      link: `/docs/${name}`,
    })),
  },
});

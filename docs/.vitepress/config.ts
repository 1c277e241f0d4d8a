import { copyFileSync, existsSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { defineConfig } from "vitepress";
import { addressOf, groups, landing, leftOut, pages, root, titleOf } from "./pages.ts";

/** Returns the anchor of a heading, as GitHub writes it, so that a link works in both places. */
const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

const linkOf = (path: string): string => `/${addressOf(path).replace(/(index)?\.md$/, "")}`;

/** The top of the landing page: what Manifold is, and a way in for each of its readers. */
const hero = {
  hero: {
    name: "Manifold",
    text: "Analytics in your own product",
    tagline:
      "One process that queries your files, databases and APIs in milliseconds, and shows each viewer only their own rows.",
    image: {
      src: "/dashboard.png",
      alt: "A dashboard over three million flights: numbers, lines, bars and a tree map",
    },
    actions: [
      { theme: "brand", text: "Your first chart", link: linkOf("docs/tutorials/FIRST_CHART.md") },
      { theme: "alt", text: "About Manifold", link: linkOf("README.md") },
    ],
  },
  features: [
    {
      title: "For people with data",
      details: "Upload a file or connect a database, click columns, share a dashboard.",
      link: linkOf("docs/tutorials/FIRST_CHART.md"),
      linkText: "Your first chart",
    },
    {
      title: "For people with a product",
      details: "One HTML tag shows a dashboard. A token decides which rows each visitor sees.",
      link: linkOf("docs/tutorials/EMBED_A_DASHBOARD.md"),
      linkText: "Your dashboard on your page",
    },
    {
      title: "For people with a source",
      details:
        "A plugin lists datasets and answers queries. A kit proves that its answers are right.",
      link: linkOf("docs/tutorials/FIRST_PLUGIN.md"),
      linkText: "Your first plugin",
    },
  ],
};

/** The pages of the repository as a site, built by `npm run docs`. A dead link between pages fails the build. */
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
      // Pages are plain Markdown, without HTML and without Vue templates.
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
            const source = relative(root, env.realPath ?? env.path).replaceAll("\\", "/");
            const target = posix.join(dirname(source), decodeURI(path));
            const page = [
              target,
              posix.join(target, "README.md"),
              posix.join(target, "index.md"),
            ].find((each) => pages.includes(each));
            if (page !== undefined) {
              const heading = anchor === undefined ? "" : `#${anchor}`;
              token.attrSet("href", `/${addressOf(page)}${heading}`);
            } else if (existsSync(join(root, target))) {
              // A file of the repository that is not a page loses its link and keeps its text.
              token.tag = "span";
              token.attrs = null;
              const close = children?.slice(at).find(({ type }) => type === "link_close");
              if (close) close.tag = "span";
            }
          }
      });
    },
  },
  // The picture of the hero is not part of a page, so the build does not copy it.
  buildEnd: ({ outDir }) =>
    copyFileSync(join(root, "docs/dashboard.png"), join(outDir, "dashboard.png")),
  transformPageData: ({ filePath }) =>
    filePath === landing
      ? { title: "Manifold", titleTemplate: false, frontmatter: { layout: "home", ...hero } }
      : undefined,
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
      collapsed: index > 4,
      items: paths
        .filter((path) => path !== landing)
        .map((path) => ({ text: titleOf(path), link: linkOf(path) })),
    })),
    outline: [2, 3],
    search: { provider: "local" },
    nav: [
      { text: "Tutorials", link: linkOf("docs/tutorials/FIRST_CHART.md") },
      { text: "How-to", link: linkOf("docs/HOW_TO.md") },
      { text: "Concepts", link: linkOf("docs/ARCHITECTURE.md") },
      { text: "Reference", link: linkOf("docs/QUERIES.md") },
    ],
  },
});

import { copyFileSync, existsSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { defineConfig } from "vitepress";
import { addressOf, groups, landing, leftOut, pages, root, titleOf } from "./pages.ts";
import { searchOptions } from "./search.ts";

/** Returns the anchor of a heading, as GitHub writes it, so that a link works in both places. */
const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

const linkOf = (path: string): string => `/${addressOf(path).replace(/(index)?\.md$/, "")}`;

/** Returns a page's link in lists. "PostgreSQL: types and statements" is listed as "PostgreSQL". */
const itemOf = (path: string) => ({
  text: path.startsWith("docs/connectors/") ? titleOf(path).replace(/: .*/, "") : titleOf(path),
  link: linkOf(path),
});

/** Returns the previous and the next page of a page's group; false where the group begins or ends. */
function neighboursOf(path: string) {
  const paths = groups.find((group) => group.paths.includes(path))?.paths ?? [];
  const all = paths.filter((each) => each !== landing);
  const at = all.indexOf(path);
  const [before, after] = [all[at - 1], all[at + 1]];
  return { prev: before ? itemOf(before) : false, next: after ? itemOf(after) : false };
}

/** The top of the landing page: what Manifold is, and a link to the first page for each kind of reader. */
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
      title: "In your product",
      details: "One HTML tag shows a dashboard. A token decides which rows each visitor sees.",
      link: linkOf("docs/tutorials/EMBED_A_DASHBOARD.md"),
      linkText: "Your dashboard on your page",
    },
    {
      title: "From your source",
      details:
        "A plugin lists datasets and answers queries. A kit proves that its answers are right.",
      link: linkOf("docs/tutorials/FIRST_PLUGIN.md"),
      linkText: "Your first plugin",
    },
    {
      title: "At home",
      details: "A folder of CSV files becomes a dashboard on your own computer, without code.",
      link: linkOf("docs/tutorials/AT_HOME.md"),
      linkText: "A folder of CSV files",
    },
    {
      title: "On your servers",
      details: "One process to run, back up, upgrade and watch, in a container or on a machine.",
      link: linkOf("docs/RUNNING.md"),
      linkText: "Running a host",
    },
  ],
};

/** The site that `npm run docs` builds from the pages of the repository. A dead link between pages fails the build. */
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
              // A link to a file that is not a page of the site is replaced by its text.
              token.tag = "span";
              token.attrs = null;
              const close = children?.slice(at).find(({ type }) => type === "link_close");
              if (close) close.tag = "span";
            }
          }
      });
    },
  },
  // The build copies only pictures that pages contain, and no page contains the picture at the top of the landing page.
  buildEnd: ({ outDir }) =>
    copyFileSync(join(root, "docs/dashboard.png"), join(outDir, "dashboard.png")),
  transformPageData: ({ filePath, frontmatter }) =>
    filePath === landing
      ? { title: "Manifold", titleTemplate: false, frontmatter: { layout: "home", ...hero } }
      : { frontmatter: { ...neighboursOf(filePath), ...frontmatter } },
  transformHead: ({ assets }) =>
    assets
      .filter((path) => path.endsWith(".woff2"))
      .map((href) => [
        "link",
        { rel: "preload", href, as: "font", type: "font/woff2", crossorigin: "" },
      ]),
  themeConfig: {
    sidebar: groups.map(({ title, paths }) => ({
      text: title,
      // The group of the current page is open.
      collapsed: true,
      items: paths.filter((path) => path !== landing).map(itemOf),
    })),
    outline: [2, 3],
    search: { provider: "local", options: searchOptions },
    nav: [
      { text: "Embed", link: linkOf("docs/tutorials/EMBED_A_DASHBOARD.md") },
      { text: "Plugins", link: linkOf("docs/tutorials/FIRST_PLUGIN.md") },
      { text: "At home", link: linkOf("docs/tutorials/AT_HOME.md") },
      { text: "Operate", link: linkOf("docs/RUNNING.md") },
      { text: "How-to", link: linkOf("docs/HOW_TO.md") },
      { text: "Reference", link: linkOf("docs/QUERIES.md") },
    ],
  },
});

import DefaultTheme from "vitepress/theme-without-fonts";
import { useData } from "vitepress";
import { defineComponent, h } from "vue";
import { PluginGallery } from "./pluginGallery.ts";
import "./site.css";

const galleryPage = "docs/registry/README.md";

/** The layout of all pages. The gallery follows the text of the page about the list of plugins. */
const Layout = defineComponent(() => {
  const { page } = useData();
  return () =>
    h(DefaultTheme.Layout, null, {
      "doc-footer-before": () =>
        page.value.filePath === galleryPage ? h(PluginGallery) : undefined,
    });
});

/**
 * The default theme of VitePress, with the console's typeface. Code uses a web font too, so that it looks the same
 * on every machine.
 */
export default { extends: DefaultTheme, Layout };

import DefaultTheme from "vitepress/theme-without-fonts";
import "./site.css";

/**
 * The default theme of VitePress with the typeface of the console. Code uses a web font too, so that it looks the same
 * on every machine.
 */
export default DefaultTheme;

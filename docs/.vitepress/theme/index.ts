import DefaultTheme from "vitepress/theme-without-fonts";
import "./site.css";

/** The theme of VitePress, in the typeface of the console; code has a web font too, so it looks the same everywhere. */
export default DefaultTheme;
